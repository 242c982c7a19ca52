'use strict';

// The games of a page. Thousands of them are read and drawn only when they come into sight.

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

  // Shows the games in which all words of a text occur.
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

  // Draws the rows that are in sight.
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

  // Marks the chosen game and brings it into sight.
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
