# For scripts that play matches: collects options of `pentarch match` in the array `options`.

# Adds an option with its default unless one of some options is given: default "--a --b" --a 1
default() {
    local name option
    for name in $1; do
        for option in ${options[@]+"${options[@]}"}; do
            [[ $option != "$name" && $option != "$name="* ]] || return 0
        done
    done
    options+=("${@:2}")
}
