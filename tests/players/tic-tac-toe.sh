#!/bin/sh
# A UGI engine of a game that the arena does not know: tic-tac-toe on a1 to c3, the first free point
# first. It misbehaves as the first argument says.
mode=$1
moves=

free() {
    for row in 1 2 3; do
        for column in a b c; do
            case " $moves " in
            *" $column$row "*) ;;
            *) printf '%s ' "$column$row" ;;
            esac
        done
    done
}

# Who has won: p1win, p2win, draw or none.
result() {
    first= second= seat=1 count=0
    for move in $moves; do
        count=$((count + 1))
        if [ $seat = 1 ]; then first="$first $move" seat=2; else second="$second $move" seat=1; fi
    done
    for line in 'a1 b1 c1' 'a2 b2 c2' 'a3 b3 c3' 'a1 a2 a3' 'b1 b2 b3' 'c1 c2 c3' 'a1 b2 c3' 'a3 b2 c1'; do
        set -- $line
        case "$first " in *" $1 "*) case "$first " in *" $2 "*) case "$first " in *" $3 "*)
            echo p1win
            return ;;
        esac ;; esac ;; esac
        case "$second " in *" $1 "*) case "$second " in *" $2 "*) case "$second " in *" $3 "*)
            echo p2win
            return ;;
        esac ;; esac ;; esac
    done
    if [ $count = 9 ]; then echo draw; else echo none; fi
}

while read -r line; do
    case $line in
    ugi)
        printf 'id name %s\nugiok\n' "$mode"
        ;;
    isready) echo readyok ;;
    'position startpos') moves= ;;
    'position startpos moves '*) moves=${line#position startpos moves } ;;
    'query gameover')
        case $(result) in
        none) echo 'response false' ;;
        *) if [ "$mode" = endless ]; then echo 'response false'; else echo 'response true'; fi ;;
        esac
        ;;
    'query result')
        found=$(result)
        [ "$mode" = liar ] && found=p2win
        echo "response $found"
        ;;
    'query p1turn')
        set -- $moves
        [ "$mode" = turn ] && set --
        [ "$mode" = mute ] || if [ $(($# % 2)) = 0 ]; then echo 'response true'; else echo 'response false'; fi
        ;;
    'query legalmoves')
        case $mode in blind | cheat-blind) ;; *) echo "response $(free)" ;; esac
        ;;
    go*)
        set -- $(free)
        case $mode in
        cheat | cheat-blind) [ $# -lt 8 ] && set -- a1 ;;
        esac
        echo "info depth 2 score cp 5 nodes 9 pv $1 $2"
        echo "bestmove $1"
        ;;
    quit) exit 0 ;;
    esac
done
