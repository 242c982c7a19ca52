// Analysis of gomoku through node-uci: node node_uci.js BINARY
//
// The library does not read moves with `@`, so its `go` waits forever; its infinite analysis works.

const {Engine} = require('node-uci')

async function main(binary) {
  // The library starts a path without arguments; the first line selects UCI.
  const engine = new Engine(binary)
  await engine.init()
  if (!engine.id.name.startsWith('Pentarch')) throw new Error(JSON.stringify(engine.id))
  if (!engine.options.has('UCI_Variant')) throw new Error('no UCI_Variant')
  await engine.setoption('UCI_Variant', 'gomokufreestyle')
  await engine.setoption('MultiPV', '2')
  await engine.isready()
  await engine.ucinewgame()
  await engine.position('startpos', ['P@h8', 'P@a1', 'P@i8'])
  const reports = await new Promise(resolve => {
    const reports = []
    engine.goInfinite().on('data', report => {
      reports.push(report)
      if (report.depth >= 4 && report.multipv === 2) resolve(reports)
    })
  })
  const good = reports.filter(report => report.score && report.nodes && report.pv)
  if (good.length < 6) throw new Error(JSON.stringify(reports))
  await engine.quit()
  console.log(`the handshake, options and ${reports.length} reports of an analysis`)
}

main(process.argv[2]).catch(error => {
  console.error(error)
  process.exit(1)
})
