'use strict';

// A game of the page: the cells that each ply changes, and its annotations. The format is described
// in src/records/page/encode.rs. The viewer knows no rules.

class Game {
  constructor(data, board) {
    this.data = data;
    this.board = board;
    this.moves = data.moves;
    this.plies = data.moves.length;
    this.marks = new Map(data.marks ?? []);
    this.comments = new Map(data.comments ?? []);
    this.lines = new Map(data.lines ?? []);
    // The plies whose moves are mistakes, in order.
    this.mistakes = [...this.marks].filter(([, mark]) => mark !== 'good').map(([ply]) => ply);
    this.isTable = board.shape === 'square';
  }

  cellName(cell) {
    const names = this.board.names;
    if (!this.isTable) return names[cell];
    return names[cell % names.length] + (Math.floor(cell / names.length) + 1);
  }

  cellMiddle(cell) {
    if (!this.isTable) return this.board.cells[cell];
    const columns = this.board.names.length;
    return [cell % columns, -Math.floor(cell / columns)];
  }

  // The text of a ply.
  moveText(ply) {
    if (typeof ply === 'number') return this.cellName(ply >> 4);
    if (ply.move !== undefined) return ply.move;
    if (ply.tile) return ply.at.map((cell) => this.cellName(cell)).join(',');
    return ply.set && ply.set.length ? this.cellName(ply.set[0] >> 4) : '';
  }

  // The content that a ply places: a stone or a tile; 0 for a choice.
  moveContent(ply) {
    if (typeof ply === 'number') return ply & 15;
    if (ply.tile) return ply.tile[0];
    return ply.set && ply.set.length ? ply.set[0] & 15 : 0;
  }

  // The cells that a ply occupies.
  moveCells(ply) {
    if (typeof ply === 'number') return [ply >> 4];
    if (ply.tile) return ply.at;
    return (ply.set ?? []).filter((number) => number & 15).map((number) => number >> 4);
  }

  // The position after the first `plies` plies and the first `steps` of a line.
  position(plies, line = null, steps = 0) {
    const state = {
      contents: new Map(), tiles: [], numbers: new Map(), captures: [], last: [], taken: [],
    };
    for (const ply of this.data.start ?? []) this.apply(state, ply, null);
    state.last = [];
    for (let ply = 0; ply < plies; ply += 1) this.apply(state, this.moves[ply], line ? null : ply + 1);
    if (line) for (let step = 0; step < steps; step += 1) this.apply(state, line[step], step + 1);
    return state;
  }

  apply(state, ply, number) {
    state.last = [];
    state.taken = [];
    if (typeof ply === 'number') {
      this.put(state, ply, number);
      return;
    }
    for (const change of ply.set ?? []) this.put(state, change, number);
    if (ply.tile) {
      const [content, level] = ply.tile;
      state.tiles.push({ content, level, cells: ply.at, number });
      for (const cell of ply.at) state.contents.set(cell, state.tiles.length - 1);
      state.last = ply.at;
    }
    if (ply.captures) state.captures = ply.captures;
  }

  put(state, change, number) {
    const [cell, content] = [change >> 4, change & 15];
    if (content) {
      state.contents.set(cell, content);
      state.last.push(cell);
      if (number) state.numbers.set(cell, number);
      else state.numbers.delete(cell);
    } else {
      state.taken.push([cell, state.contents.get(cell)]);
      state.contents.delete(cell);
      state.numbers.delete(cell);
    }
  }

  // The left, top, width and height of the part of the board that the game needs.
  bounds() {
    if (!this.isTable) return this.board.bounds;
    const plies = [...(this.data.start ?? []), ...this.moves];
    for (const lines of this.lines.values()) for (const [, , line] of lines) plies.push(...line);
    const middles = plies.flatMap((ply) => ply.at ?? []).map((cell) => this.cellMiddle(cell));
    if (!middles.length) return [82, -87, 7, 7];
    const range = (axis) => middles.reduce(
      ([low, high], middle) => [Math.min(low, middle[axis]), Math.max(high, middle[axis])],
      [Infinity, -Infinity],
    );
    const [[left, right], [top, bottom]] = [range(0), range(1)];
    return [left - 1.5, top - 1.5, right - left + 3, bottom - top + 3];
  }

  seatOf(ply) {
    return Number(this.data.seats[ply] ?? 0);
  }

  player(seat) {
    return this.data.players[seat] || `Player ${seat + 1}`;
  }

  // The color of a seat at the end.
  colorOf(seat) {
    return this.board.colors[this.data.owners.indexOf(seat)] ?? '';
  }

  // `White, Ann`, or just one of them.
  playerWithColor(seat) {
    return this.data.players[seat] ? `${this.colorOf(seat)} (${this.data.players[seat]})` : this.colorOf(seat);
  }

  sides() {
    return new Set(this.board.sides).size;
  }

  // The result in words.
  result() {
    const { winner, reason } = this.data;
    if (winner === undefined) return reason ? `unfinished: ${reason}` : '';
    if (winner < 0) return reason ? `draw: ${reason}` : 'draw';
    const winners = this.board.sides.flatMap((side, seat) => (side === winner ? [this.player(seat)] : []));
    return `${[...new Set(winners)].join(' and ')} won${reason ? `: ${reason}` : ''}`;
  }

  // The move of a ply in words.
  sentence(ply, number, seat) {
    const who = seat === null ? '' : this.player(seat);
    if (ply.say) return `${number}. ${who} ${ply.say}`.trim();
    const content = this.moveContent(ply);
    const color = content ? contentName(content, this.board.colors) : '';
    const taken = (ply.set ?? []).filter((change) => !(change & 15)).length;
    const captured = taken ? `, ${taken} taken off the board` : '';
    return `${number}. ${color} ${this.moveText(ply)}${who ? ` by ${who}` : ''}${captured}`;
  }
}

// The games of a page. A game is parsed and drawn only when it becomes visible.

class GameStore {
  constructor() {
    this.boards = JSON.parse(document.getElementById('boards').textContent);
    const texts = [...document.querySelectorAll('script.games')].map((script) => script.textContent);
    this.texts = texts.flatMap((text) => text.split('\n')).filter((line) => line !== '');
    this.read = new Map();
  }

  get count() {
    return this.texts.length;
  }

  // The game of an index from 0.
  game(index) {
    if (!this.read.has(index)) {
      if (this.read.size > 500) this.read.clear();
      const data = JSON.parse(this.texts[index]);
      this.read.set(index, new Game(data, this.boards[data.board]));
    }
    return this.read.get(index);
  }
}

const ROW_HEIGHT = 52;

class GameList {
  constructor(element, store, firstNumber, choose) {
    this.store = store;
    this.firstNumber = firstNumber;
    this.choose = choose;
    this.chosen = 0;
    this.shown = Array.from({ length: store.count }, (_, index) => index);
    this.rows = html('div', { class: 'rows', role: 'presentation' });
    this.box = html(
      'div',
      { class: 'game-list', role: 'listbox', tabindex: '0', 'aria-label': 'Games' },
      this.rows,
    );
    this.filter = html('input', {
      type: 'search', placeholder: 'Find a player, a result, a date', 'aria-label': 'Find games',
      oninput: () => this.search(this.filter.value),
    });
    this.found = html('p', { class: 'found', role: 'status' });
    this.box.addEventListener('scroll', () => this.draw());
    this.box.addEventListener('keydown', (event) => this.onKey(event));
    element.append(this.filter, this.found, this.box);
    this.search('');
    if (window.ResizeObserver) new ResizeObserver(() => this.draw()).observe(this.box);
  }

  number(index) {
    return this.firstNumber + index;
  }

  // Shows the games that contain all words of a text.
  search(text) {
    const words = text.toLowerCase().split(/\s+/).filter((word) => word !== '');
    const all = Array.from({ length: this.store.count }, (_, index) => index);
    this.shown = words.length === 0 ? all : all.filter((index) => {
      const line = this.describe(index).join(' ').toLowerCase();
      return words.every((word) => line.includes(word));
    });
    const plural = this.shown.length === 1 ? 'game' : 'games';
    this.found.textContent = `${this.shown.length} ${plural}`;
    this.rows.style.height = `${this.shown.length * ROW_HEIGHT}px`;
    this.draw();
  }

  // The two lines of a game.
  describe(index) {
    const game = this.store.game(index);
    const players = game.board.sides.map((_, seat) => game.player(seat)).join(' – ');
    const mistakes = game.mistakes.length;
    const facts = [
      game.data.title, game.result(), `${game.plies} plies`,
      mistakes ? `${mistakes} ${mistakes === 1 ? 'mistake' : 'mistakes'}` : '',
      this.store.boards.length > 1 ? game.board.rules : '', game.data.date,
    ];
    return [`${this.number(index)}. ${players}`, facts.filter((fact) => fact).join(' · ')];
  }

  // Draws the visible rows.
  draw() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW_HEIGHT) - 3);
    const count = Math.ceil((this.box.clientHeight || 400) / ROW_HEIGHT) + 6;
    const rows = this.shown.slice(first, first + count).map((index, place) => {
      const [title, facts] = this.describe(index);
      const row = html(
        'div',
        {
          class: 'row', role: 'option', id: `row-${index}`, 'aria-selected': String(index === this.chosen),
          'aria-setsize': String(this.shown.length), 'aria-posinset': String(first + place + 1),
          onclick: () => this.choose(index),
        },
        html('div', { class: 'row-title' }, title),
        html('div', { class: 'row-facts' }, facts),
      );
      row.style.top = `${(first + place) * ROW_HEIGHT}px`;
      return row;
    });
    this.rows.replaceChildren(...rows);
    this.box.setAttribute('aria-activedescendant', `row-${this.chosen}`);
  }

  // Marks the selected game and scrolls to it.
  select(index) {
    this.chosen = index;
    const place = this.shown.indexOf(index);
    if (place >= 0) {
      const [top, bottom] = [place * ROW_HEIGHT, (place + 1) * ROW_HEIGHT];
      if (top < this.box.scrollTop) this.box.scrollTop = top;
      else if (bottom > this.box.scrollTop + this.box.clientHeight) {
        this.box.scrollTop = bottom - this.box.clientHeight;
      }
    }
    this.draw();
  }

  onKey(event) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / ROW_HEIGHT) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    const place = this.shown.indexOf(this.chosen);
    let next;
    if (event.key in steps) next = place + steps[event.key];
    else if (event.key === 'Home') next = 0;
    else if (event.key === 'End') next = this.shown.length - 1;
    else return;
    event.preventDefault();
    event.stopPropagation();
    next = Math.min(Math.max(next, 0), this.shown.length - 1);
    if (this.shown.length) this.choose(this.shown[next]);
  }
}
