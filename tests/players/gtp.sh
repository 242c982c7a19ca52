#!/bin/sh
# A GTP engine that plays the first free point of a board of 9x9 and misbehaves as the first
# argument says, with the second move of a game.
mode=$1
position=
moves=0

first_free() {
    for row in 1 2 3 4 5 6 7 8 9; do
        for column in A B C D E F G H J; do
            case " $position " in
            *" $column$row "*) ;;
            *)
                echo "$column$row"
                return
                ;;
            esac
        done
    done
}

answer() {
    case $mode-$moves in
    crash-2) exit 7 ;;
    hang-2) exec sleep 60 ;;
    illegal-2)
        set -- $position
        printf '= %s\n\n' "$1"
        ;;
    garbled-2) printf '= I am lost\n\n' ;;
    failure-2) printf '? out of ideas\n\n' ;;
    passes-2) printf '= pass\n\n' ;;
    resign-2) printf '= resign\n\n' ;;
    slow-2)
        sleep 0.4
        printf '= pass\n\n'
        ;;
    *)
        point=$(first_free)
        position="$position $point"
        printf 'chatter\n= %s\n\n' "$point"
        ;;
    esac
}

while read -r name first second; do
    case $name in
    name) printf '= Script %s\n\n' "$mode" ;;
    list_commands)
        [ $mode = remembers ] && echo '= clear_cache' || echo '= name'
        printf 'list_commands\nboardsize\nclear_board\nplay\ngenmove\nquit\n\n'
        ;;
    boardsize)
        if [ "$first" = 9 ]; then printf '= \n\n'; else printf '? unacceptable size\n\n'; fi
        ;;
    clear_board)
        [ -n "$position" ] && known=game
        position=
        moves=0
        printf '= \n\n'
        ;;
    play)
        if [ $mode = refuses ]; then
            printf '? illegal move\n\n'
        else
            position="$position $second"
            printf '= \n\n'
        fi
        ;;
    clear_cache)
        known=
        printf '= \n\n'
        ;;
    genmove)
        moves=$((moves + 1))
        # It knows too much if it was not told to forget the game before.
        [ $mode$known = remembersgame ] && exit 7
        answer
        ;;
    quit)
        printf '= \n\n'
        exit 0
        ;;
    *) printf '? unknown command\n\n' ;;
    esac
done
