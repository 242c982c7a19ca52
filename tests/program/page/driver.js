'use strict';

// Drives the viewer as a person would and writes `ok: N games, N plies` or what went wrong.

const errors = [];
window.addEventListener('error', (event) => errors.push(`error: ${event.message}`));
window.addEventListener('unhandledrejection', (event) => errors.push(`rejected: ${event.reason}`));
document.addEventListener('securitypolicyviolation', (event) => errors.push(`blocked: ${event.violatedDirective}`));

function expect(holds, what) {
  if (!holds) throw new Error(what);
}

function press(key) {
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
}

const find = (selector) => document.querySelector(selector);
const all = (selector) => [...document.querySelectorAll(selector)];
const lying = () => all('.board > g:last-child > .stone, .board > g:last-child > .tile').length;

// From the end to the start and back, with keys and buttons; returns the number of plies.
function stepThrough(name) {
  const moves = all('.move-list > .move').length;
  const atEnd = lying();
  const status = find('.status').textContent;
  press('Home');
  expect(find('[aria-label^="First"]').disabled, `${name}: the start is the first position`);
  for (let ply = 1; ply <= moves; ply += 1) {
    if (ply % 2) press('ArrowRight');
    else find('[aria-label^="One ply forward"]').click();
    const current = all('.move-list > .move[aria-current]');
    expect(current.length === 1 && current[0] === all('.move-list > .move')[ply - 1], `${name}: move ${ply} is current`);
    expect(find('.status').textContent !== '', `${name}: ply ${ply} is told`);
  }
  expect(find('[aria-label^="Last"]').disabled, `${name}: the last ply is the end`);
  expect(lying() === atEnd && find('.status').textContent === status, `${name}: the end is the same again`);
  for (let ply = moves; ply > 0; ply -= 1) press('ArrowLeft');
  expect(find('[aria-label^="First"]').disabled, `${name}: back at the start`);
  return moves;
}

// Every line of every mistake.
function playLines(name) {
  if (find('[aria-label^="Next mistake"]').hidden) return;
  press('Home');
  const count = all('.move-list .sign').length;
  for (let mistake = 0; mistake < count; mistake += 1) {
    press('m');
    expect(find('.verdict') !== null, `${name}: a mistake is named`);
    const moves = all('.line .move').length;
    for (let move = 0; move < moves; move += 1) {
      all('.line .move')[move].click();
      expect(all('.line .move')[move].hasAttribute('aria-current'), `${name}: a move of a line is shown`);
      expect(find('.status').textContent.startsWith('Line'), `${name}: a line is told`);
    }
    press('ArrowLeft');
  }
}

function clickGraph(name) {
  const graph = find('.graph');
  if (!graph || graph.parentElement.hidden) return;
  const box = graph.getBoundingClientRect();
  const at = { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2, bubbles: true };
  graph.dispatchEvent(new PointerEvent('pointerdown', at));
  const ply = Number(graph.getAttribute('aria-valuenow'));
  const middle = all('.move-list > .move').length / 2;
  expect(Math.abs(ply - middle) <= 2, `${name}: the middle of the graph is ply ${middle}, not ${ply}`);
}

function sortTables() {
  for (const table of all('table')) {
    const column = [...table.tHead.rows[0].cells].length - 1;
    const texts = () => [...table.tBodies[0].rows].map((row) => Number(row.cells[column].textContent));
    table.tHead.rows[0].cells[column].querySelector('button').click();
    expect(texts().every((number, index, list) => index === 0 || list[index - 1] >= number), 'the table is sorted');
  }
}

function drive() {
  sortTables();
  const games = Number((find('.found')?.textContent ?? '1').split(' ')[0]);
  const sample = Math.min(games, 20);
  let plies = 0;
  let seen = 0;
  for (let game = 0; game < sample; game += 1) {
    if (game > 0) {
      find('.game-list').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }));
    }
    const name = find('.header').textContent;
    expect(!/undefined|NaN|null/.test(find('#viewer').textContent), `${name}: no hole in the text`);
    const moves = stepThrough(name);
    plies = games > sample ? moves : plies + moves;
    playLines(name);
    clickGraph(name);
    seen += 1;
  }
  expect(seen === sample, 'every game was seen');
  expect(all('.row').length < 60, 'only the rows in sight are drawn');
  const list = find('.game-list');
  if (games > 1) {
    list.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true, cancelable: true }));
    expect(find('[aria-selected=true] .row-title').textContent.startsWith(`${games}.`), 'the last game is chosen');
    const field = find('input[type=search]');
    field.value = 'no such player';
    field.dispatchEvent(new Event('input'));
    expect(find('.found').textContent === '0 games', 'nothing is found');
  }
  return `${games} games, ${plies} plies`;
}

let result;
try {
  result = `ok: ${drive()}`;
} catch (error) {
  result = error.stack;
}
if (errors.length) result = errors.join('\n');
const output = document.createElement('output');
output.id = 'driver';
output.textContent = result;
document.body.append(output);
