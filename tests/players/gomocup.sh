#!/bin/sh
# A Gomocup brain that plays the first free point of a board of 9x9 and misbehaves as the first
# argument says, with the second move of a game.
mode=$1
position=
moves=0
reading=

first_free() {
    for row in 0 1 2 3 4 5 6 7 8; do
        for column in 0 1 2 3 4 5 6 7 8; do
            case " $position " in
            *" $column,$row "*) ;;
            *)
                echo "$column,$row"
                return
                ;;
            esac
        done
    done
}

answer() {
    moves=$((moves + 1))
    case $mode-$moves in
    crash-2) exit 7 ;;
    hang-2) exec sleep 60 ;;
    illegal-2)
        set -- $position
        echo "$1"
        ;;
    outside-2) echo '44,44' ;;
    garbled-2) echo '4;4' ;;
    two-2) echo '4,4 5,5' ;;
    failure-2) echo 'ERROR out of ideas' ;;
    slow-2)
        sleep 0.4
        echo '8,8'
        ;;
    *)
        point=$(first_free)
        position="$position $point"
        case $mode in
        noisy) printf 'MESSAGE thinking 1,1\r\nDEBUG 2,2\r\n%s\r\n' "$point" ;;
        suggest) echo "SUGGEST $point" ;;
        *) echo "$point" ;;
        esac
        ;;
    esac
}

while read -r command argument rest; do
    case $command in
    ABOUT)
        if [ "$mode" = shy ]; then continue; fi
        if [ "$mode" = old ]; then echo 'Script by nobody'; else echo "name=\"Script $mode\", version=\"1\""; fi
        ;;
    START)
        # As Rapfi does while the search of the last game winds up.
        if [ "$mode-$moves" != "busy-0" ] && [ "$mode" = busy ]; then
            moves=0
            echo "ERROR Unknown command: $argument"
            continue
        fi
        position=
        moves=0
        if [ "$argument" = 9 ]; then echo OK; else echo 'ERROR only 9x9'; fi
        ;;
    RECTSTART) echo 'UNKNOWN command' ;;
    INFO)
        # As Rapfi's manager side does about the clock of a game without one.
        case $mode-$argument in
        complains-*) echo 'ERROR bad INFO'; echo 'UNKNOWN INFO'; echo OK ;;
        clockless-time_left) exit 9 ;;
        esac
        ;;
    BEGIN) answer ;;
    TURN)
        # As Rapfi does while its last search winds up.
        if [ "$mode" = busy ]; then
            echo "ERROR Unknown command: $argument"
            continue
        fi
        position="$position $argument"
        answer
        ;;
    BOARD)
        position=
        reading=yes
        ;;
    DONE)
        reading=
        answer
        ;;
    PLAY) echo "$argument" ;;
    END) exit 0 ;;
    [0-9]*) [ -n "$reading" ] && position="$position ${command%,*}" ;;
    esac
done
