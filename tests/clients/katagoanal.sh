#!/usr/bin/env bash
# Reviews two games with KataGoAnal and checks the comments: katagoanal.sh KATAGO CONFIG. PYTHONPATH has the package.
set -euo pipefail
readonly katago=$1 config=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder XDG_CONFIG_HOME=$folder/.config
mkdir -p "$folder/.config/katagoanal" "$folder/out"
printf '{"binary": "%s", "model": "%s", "config": "%s"}\n' "$katago" "$katago" "$config" \
    > "$folder/.config/katagoanal/paths.json"
echo '(;GM[1]FF[4]SZ[15]KM[6.5]RU[Chinese];B[hh];W[hi];B[ih];W[gh];B[jh];W[kh];B[ig])' > "$folder/one.sgf"
echo '(;GM[1]FF[4]SZ[15]KM[0]RU[Japanese];B[hh];W[ii];B[hg];W[aa];B[hf];W[bb];B[he])' > "$folder/two.sgf"
cd "$folder"
python3 -c 'from KataGoAnal.cli import main; raise SystemExit(main())' one.sgf two.sgf --visits 20 -o out
for game in one two; do
    comments=$(grep -o 'C\[' "out/$game.injected.sgf" | wc -l)
    [[ $comments -ge 8 ]] || { echo "only $comments comments"; cat "out/$game.injected.sgf"; exit 1; } >&2
done
grep -q 'Engine: KataGo 1' out/one.injected.sgf
grep -q 'Final Black Winrate: 100.0%' out/two.injected.sgf || { cat out/two.injected.sgf; exit 1; } >&2
echo "two games, with an engine, a winner and a comment for each move"
