#!/bin/sh
# A UGI or UCI engine that plays the first free point of a board of 9x9 and misbehaves as the first
# argument says. Most faults come with the second move of a game, those of a mode late-MODE with the
# first of the second game.
mode=$1
second=$2
position=
moves=0
played=0

first_free() {
    for row in 1 2 3 4 5 6 7 8 9; do
        for column in a b c d e f g h i; do
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
    late-*)
        if [ $played -gt 1 ]; then
            mode=${mode#late-}
            moves=2
            answer
        else
            echo "bestmove $(first_free)"
        fi
        ;;
    crash-2) exit 7 ;;
    hang-2) exec sleep 60 ;;
    endless-2) exec yes 'info depth 1' ;;
    nolineend-2) exec tr '\0' x </dev/zero ;;
    spins-2)
        # Children that keep a processor busy, and end by themselves should nobody end them.
        for child in 1 2 3 4; do
            timeout 20 sh -c 'while :; do :; done' &
        done
        wait
        ;;
    naps-2)
        echo 'falls asleep' >&2
        sleep 0.3
        echo "bestmove $(first_free)"
        ;;
    works-2)
        step=0
        while [ $step -lt 60000 ]; do step=$((step + 1)); done
        echo "bestmove $(first_free)"
        ;;
    leaves_after-2)
        echo "bestmove $(first_free)"
        exit 5
        ;;
    twice-*)
        best=$(first_free)
        printf 'bestmove %s\nbestmove %s\n' "$best" "$best"
        ;;
    ponders-* | misses-*)
        best=$(first_free)
        position="$position $best"
        reply=$(first_free)
        [ $mode = misses ] && reply=i9
        echo "info depth 1 score cp 0 pv $best $reply"
        echo "bestmove $best"
        ;;
    again-*)
        best=$(first_free)
        echo "bestmove $best"
        sleep 0.05
        echo "bestmove $best"
        ;;
    claims-2)
        echo 'info string I have won'
        echo 'response p1win'
        echo 'bestmove none'
        ;;
    verbose-*)
        yes "info string $(head -c 250 /dev/zero | tr '\0' x)" | head -n 100
        sleep 0.02
        echo "bestmove $(first_free)"
        ;;
    cores-1)
        grep Cpus_allowed_list /proc/$$/status >>"$second"
        echo "bestmove $(first_free)"
        ;;
    environment-*) [ "$PLAYER" = 'a b' ] && echo "bestmove $(first_free)" ;;
    family-2) exec sleep "$second" ;;
    infos-2) exec yes "info depth 1 score cp 1 pv $(printf 'a%d ' 1 2 3 4 5 6 7 8 9)$long" ;;
    megabytes-2) while printf 'info string %s%s%s%s\n' $long $long $long $long; do :; done ;;
    binary-2) exec yes "$(printf '\377\376')" ;;
    illegal-2)
        set -- $position
        shift $(($# - 1))
        echo "bestmove $1"
        ;;
    nonsense-2) echo 'bestmove e44' ;;
    garbled-2) echo 'bestmove a1 a2 a3' ;;
    none-2) echo 'bestmove none' ;;
    resign-2) echo 'bestmove resign' ;;
    slow-2)
        sleep 0.4
        echo "bestmove $(first_free)"
        ;;
    flood-*)
        yes 'info string noise' | head -n 3000
        printf '\377\376\n'
        head -c 1500000 /dev/zero | tr '\0' x
        echo
        echo noise >&2
        echo "bestmove $(first_free)"
        ;;
    *) echo "bestmove $(first_free)" ;;
    esac
}

case $mode in
infos) long=$(head -c 300 /dev/zero | tr '\0' x) ;;
megabytes) long=$(head -c 250000 /dev/zero | tr '\0' x) ;;
family)
    # A child, one that has left the group, and one that has lost its parent and heeds no signal.
    sleep "$second" &
    setsid sleep "$second" &
    (trap '' HUP INT TERM; setsid sleep "$second" &)
    ;;
esac
[ "$mode" = dead ] && exit 3
[ "$mode" = mute ] && exec sleep 60
while read -r line; do
    case $mode in ponders | misses) echo "$line" >>"$second" ;; esac
    case $line in
    ugi | uci)
        [ "$mode" = handshake ] && exit 6
        if [ "$mode" = named ]; then
            printf 'id name \033[31m<b>%s\n' "$(head -c 10000 /dev/zero | tr '\0' x)"
        else
            echo "id name Script $mode"
        fi
        games='gomoku var gomoku+size=9'
        [ "$mode" = words ] && games='pente var pro-pente+keryo'
        echo "option name UCI_Variant type combo default gomoku var $games"
        echo "${line}ok"
        ;;
    isready)
        [ "$mode" = unasked ] && echo 'bestmove a1'
        echo readyok
        ;;
    uginewgame | ucinewgame)
        [ "$mode" = leaves ] && [ $played -gt 0 ] && exit 0
        [ "$mode" = never ] && exit 4
        moves=0
        played=$((played + 1))
        ;;
    position*) position=$line ;;
    go*ponder*) pondering=yes ;;
    ponderhit | stop)
        [ -n "$pondering" ] && answer
        pondering=
        ;;
    go*)
        moves=$((moves + 1))
        answer
        ;;
    setoption*)
        [ "$mode" = words ] && [ "$line" != 'setoption name UCI_Variant value pro-pente+keryo' ] && exit 9
        ;;
    quit) [ "$mode" = stays ] || exit 0 ;;
    esac
done
[ "$mode" = stays ] && exec sleep 60
exit 0
