// Sabaki's GTP library (@sabaki/gtp) with the engine: a game that is synchronized the way the Sabaki
// program does it, undo, errors, and live analysis. node sabaki.js PENTARCH
const assert = require('assert')
const {ControllerStateTracker} = require('@sabaki/gtp')

const play = (color, vertex) => ({name: 'play', args: [color, vertex]})

async function synchronized(tracker) {
  const history = [play('B', 'H8'), play('W', 'J9'), play('B', 'H9'), play('W', 'H10')]
  const timeSettings = {mainTime: 0, byoyomiTime: 1, byoyomiStones: 1}
  await tracker.sync({boardsize: [15, 15], komi: 6.5, timeSettings, history})
  assert.deepStrictEqual(tracker.state.boardsize, [15, 15])
  assert.deepStrictEqual(tracker.state.history, history)
  // Back by undo, forward on another line, then to a board that is not square.
  await tracker.sync({history: [...history.slice(0, 3), play('W', 'A1')]})
  assert.strictEqual(tracker.state.history.length, 4)
  const legal = await tracker.queueCommand({name: 'gogui-rules_legal_moves'})
  assert.ok(legal.content.split(/\s+/).includes('H10'))
  assert.ok(!legal.content.split(/\s+/).includes('A1'))
  await tracker.sync({boardsize: [9, 7], history: [play('B', 'J7')]})
  await assert.rejects(tracker.sync({boardsize: [9, 9], history: [play('B', 'A1'), play('W', 'A1')]}))
}

async function generated(tracker) {
  await tracker.sync({boardsize: [9, 9], history: [play('B', 'E5')]})
  const {id, content, error} = await tracker.queueCommand({id: 7, name: 'genmove', args: ['W']})
  assert.deepStrictEqual([id, error], [7, false])
  assert.match(content, /^[A-HJ][1-9]$/)
  assert.strictEqual(tracker.state.history.length, 2)
  const unknown = await tracker.queueCommand({id: 8, name: 'no-such-command'})
  assert.deepStrictEqual([unknown.id, unknown.error], [8, true])
}

/** Analyses until some lines have come, then stops it with the next command, as Sabaki does. */
async function analysed(tracker, name) {
  const lines = []
  let enough
  const heard = new Promise(resolve => (enough = resolve))
  const listen = ({line}) => {
    if (line.startsWith('info ')) lines.push(line)
    if (lines.length >= 3) enough()
  }
  const analysis = tracker.controller.sendCommand({name, args: ['B', '5']}, listen)
  await heard
  const stopped = await tracker.controller.sendCommand({name: 'protocol_version'})
  assert.strictEqual(stopped.content, '2')
  assert.strictEqual((await analysis).error, false)
  const number = name === 'lz-analyze' ? '\\d+' : '\\d+\\.\\d+'
  for (const line of lines) {
    assert.match(line, new RegExp(`^info move [A-T]\\d+ visits \\d+ winrate ${number} .*pv [A-T]\\d+`))
  }
}

/** The engine chooses with live lines; the tracker learns the move from the line `play`. */
async function generatedWithAnalysis(tracker) {
  const before = tracker.state.history.length
  await tracker.queueCommand({name: 'genmove_analyze', args: ['B', '5']})
  assert.strictEqual(tracker.state.history.length, before + 1)
  assert.match(tracker.state.history[before].args[1], /^[A-HJ][1-9]$/)
}

async function main() {
  const args = ['gtp', '--variant', 'gomoku', '--time', '0.3']
  const tracker = ControllerStateTracker.fromController(process.argv[2], args)
  for (const name of ['undo', 'lz-analyze', 'kata-analyze', 'kata-genmove_analyze']) {
    assert.ok(await tracker.knowsCommand(name), name)
  }
  await synchronized(tracker)
  await generated(tracker)
  for (const name of ['lz-analyze', 'kata-analyze', 'analyze']) await analysed(tracker, name)
  await generatedWithAnalysis(tracker)
  await tracker.controller.stop()
  console.log('@sabaki/gtp: a synchronized game, undo, errors and live analysis')
}

main().catch(error => {
  console.error(error)
  process.exit(1)
})
