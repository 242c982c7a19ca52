'use strict';

// The viewer: selects a game, steps through it, and plays alternative lines on the board.
// `#game=3&ply=12` in the address selects the game and the ply.

const MARKS = {
  good: ['!', 'good move'],
  inaccuracy: ['?!', 'inaccuracy'],
  mistake: ['?', 'mistake'],
  blunder: ['??', 'blunder'],
  'missed-win': ['??', 'missed win'],
  'missed-defense': ['??', 'missed defense'],
  fault: ['✗', 'fault'],
};

class Viewer {
  constructor(element) {
    this.element = element;
    this.firstNumber = Number(element.dataset.firstGame);
    this.gamesAPage = Number(element.dataset.gamesAPage);
    this.store = new GameStore();
    element.replaceChildren();
    if (this.store.count === 0) return;
    this.build();
    window.addEventListener('hashchange', () => this.readAddress());
    document.addEventListener('keydown', (event) => this.onKey(event));
    document.addEventListener('click', (event) => this.onLink(event));
    this.readAddress();
  }

  build() {
    const place = (name) => html('div', { class: name });
    const parts = {
      list: place('games'), header: place('header'), above: place('sides'), board: place('board-box'),
      controls: place('controls'), graph: place('graph-box'), moves: place('moves'), note: place('note'),
    };
    this.parts = parts;
    parts.status = html('p', { class: 'status', role: 'status', 'aria-live': 'polite' });
    this.element.append(
      parts.list,
      html('div', { class: 'play' }, parts.header, parts.above, parts.board, parts.status, parts.controls),
      html('div', { class: 'talk' }, parts.graph, parts.note, parts.moves),
    );
    this.board = new BoardView(parts.board);
    this.graph = new Graph(parts.graph, (ply) => this.goTo(ply));
    this.buildControls(parts.controls);
    this.element.classList.toggle('one-game', this.store.count === 1);
    if (this.store.count > 1) {
      this.list = new GameList(parts.list, this.store, this.firstNumber, (index) => this.choose(index, null));
    }
  }

  buildControls(controls) {
    const button = (label, hint, act) => html(
      'button',
      { type: 'button', title: hint, 'aria-label': hint, onclick: act },
      label,
    );
    this.buttons = {
      first: button('|◀', 'First position (Home)', () => this.goTo(0)),
      back: button('◀', 'One ply back (left arrow)', () => this.step(-1)),
      forward: button('▶', 'One ply forward (right arrow)', () => this.step(1)),
      last: button('▶|', 'Last position (End)', () => this.goTo(this.game.plies)),
      mistakeBack: button('◀ ?', 'Mistake before (shift and M)', () => this.nextMistake(-1)),
      mistake: button('? ▶', 'Next mistake (M)', () => this.nextMistake(1)),
    };
    this.numbers = html('input', { type: 'checkbox', onchange: () => this.update() });
    controls.append(
      ...Object.values(this.buttons),
      html('label', {}, this.numbers, ' numbers'),
    );
  }

  // Shows a game by its index, at a ply or at its end.
  choose(index, ply) {
    this.index = index;
    this.game = this.store.game(index);
    this.board.show(this.game);
    this.graph.show(this.game);
    this.showHeader();
    this.showMoves();
    if (this.list) this.list.select(index);
    this.goTo(ply ?? this.game.plies);
  }

  showHeader() {
    const { game } = this;
    const { data } = game;
    const number = this.firstNumber + this.index;
    const title = data.title || (this.store.count > 1 || this.firstNumber > 1 ? `Game ${number}` : '');
    const facts = [game.board.rules, game.result(), data.date].filter((fact) => fact).join(' · ');
    this.parts.header.replaceChildren(
      ...(title ? [html('h2', {}, title)] : []),
      html('p', {}, facts),
      ...(data.detail ? [html('details', {}, html('summary', {}, 'More on this game'), html('pre', {}, data.detail))] : []),
    );
    this.buttons.mistake.hidden = game.mistakes.length === 0;
    this.buttons.mistakeBack.hidden = game.mistakes.length === 0;
  }

  showMoves() {
    const { game } = this;
    const start = game.data.plies_before ?? 0;
    this.moveButtons = game.moves.map((ply, index) => {
      const content = game.moveContent(ply);
      const mark = game.marks.get(index);
      const [sign, meaning] = MARKS[mark] ?? ['', ''];
      return html(
        'button',
        {
          type: 'button', class: `move ${mark ?? ''}`, title: meaning || null,
          'aria-label': game.sentence(ply, start + index + 1, null) + (meaning ? `, ${meaning}` : ''),
          onclick: () => this.goTo(index + 1),
        },
        html('span', { class: 'move-number' }, `${start + index + 1}.`),
        content ? inlineStone(content, game.board.colors) : null,
        html('span', {}, game.moveText(ply)),
        sign ? html('span', { class: 'sign' }, sign) : null,
      );
    });
    this.parts.moves.replaceChildren(
      html('h3', {}, 'Moves'),
      html('div', { class: 'move-list' }, ...this.moveButtons),
    );
  }

  goTo(ply) {
    this.ply = Math.min(Math.max(ply, 0), this.game.plies);
    this.line = null;
    this.update();
  }

  // Plays a line of the note of a ply up to one of its steps.
  playLine(ply, index, step) {
    const line = this.game.lines.get(ply)[index][2];
    this.ply = ply;
    this.line = { index, steps: Math.min(Math.max(step, 0), line.length), plies: line, ply };
    this.update();
  }

  step(by) {
    if (!this.line) {
      this.goTo(this.ply + by);
    } else if (this.line.steps + by <= 0) {
      this.goTo(this.line.ply + 1);
    } else {
      this.playLine(this.line.ply, this.line.index, this.line.steps + by);
    }
  }

  nextMistake(by) {
    const { mistakes } = this.game;
    const shown = this.line ? this.line.ply : this.ply - 1;
    const next = by > 0
      ? mistakes.find((ply) => ply > shown) ?? mistakes[0]
      : mistakes.findLast((ply) => ply < shown) ?? mistakes[mistakes.length - 1];
    if (next !== undefined) this.goTo(next + 1);
  }

  // Draws the parts that depend on the ply and the line.
  update() {
    const { game, line } = this;
    const state = line ? game.position(line.ply, line.plies, line.steps) : game.position(this.ply);
    const text = this.describe();
    const hints = line || this.ply === 0 ? [] : this.alternatives(this.ply - 1);
    this.board.update(state, text, hints, this.numbers.checked || line !== null);
    this.graph.update(this.ply, text);
    this.parts.status.textContent = text;
    this.showSides(state);
    this.showNote(line ? line.ply : this.ply - 1);
    this.moveButtons.forEach((button, index) => {
      const isCurrent = index === this.ply - 1 && !line;
      button.toggleAttribute('aria-current', isCurrent);
      if (isCurrent) this.scrollTo(button);
    });
    const atStart = this.ply === 0 && !line;
    this.buttons.first.disabled = atStart;
    this.buttons.back.disabled = atStart;
    const atEnd = line ? line.steps >= line.plies.length : this.ply === game.plies;
    this.buttons.forward.disabled = atEnd;
    this.buttons.last.disabled = this.ply === game.plies && !line;
    this.writeAddress();
  }

  // Scrolls only the list of moves, not the page.
  scrollTo(button) {
    const box = button.parentElement;
    const [top, bottom] = [button.offsetTop - box.offsetTop, button.offsetTop - box.offsetTop + button.offsetHeight];
    if (top < box.scrollTop) box.scrollTop = top;
    else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
  }

  // The first plies of the lines of a ply that differ from what was played.
  alternatives(ply) {
    const played = this.game.moveText(this.game.moves[ply]);
    const first = (this.game.lines.get(ply) ?? []).map(([, , line]) => line[0]);
    return first.filter((other) => other !== undefined && this.game.moveText(other) !== played);
  }

  describe() {
    const { game, line } = this;
    const start = game.data.plies_before ?? 0;
    if (line) {
      const [name] = game.lines.get(line.ply)[line.index];
      const moves = line.plies.slice(0, line.steps).map((ply) => game.moveText(ply)).join(' ');
      return `Line “${name || 'best'}” instead of ply ${start + line.ply + 1}: ${moves}`;
    }
    if (this.ply === 0) return start ? `Position after ply ${start}` : 'Start of the game';
    const sentence = game.sentence(game.moves[this.ply - 1], start + this.ply, game.seatOf(this.ply - 1));
    const result = this.ply === game.plies && game.result() ? `. ${game.result()}` : '';
    return sentence + result;
  }

  // The players, their colors and their captures.
  showSides(state) {
    const { game } = this;
    const { board } = game;
    this.parts.above.replaceChildren(...board.colors.map((color, index) => {
      const seat = game.data.owners[index];
      const row = html(
        'div',
        { class: 'side' },
        inlineStone(index + 1, board.colors),
        html('span', { class: 'side-name' }, game.data.players[seat] ? `${color}: ${game.data.players[seat]}` : color),
      );
      if (board.goal !== undefined) {
        const stones = state.captures[index] ?? [];
        const goal = board.goal ? ` of ${board.goal}` : '';
        row.append(
          html('span', { class: 'captured' }, `captured ${stones.length}${goal}`),
          html('span', { class: 'prisoners' }, ...stones.slice(0, 30).map((content) => inlineStone(content, board.colors))),
        );
      }
      return row;
    }));
  }

  // The annotation of a ply.
  showNote(ply) {
    const { game } = this;
    const { data } = game;
    const note = this.parts.note;
    note.replaceChildren();
    const lines = game.lines.get(ply) ?? [];
    const facts = [];
    const at = (list) => (list ?? [])[ply] ?? null;
    if (at(data.scores) !== null) facts.push(['Value', data.scores[ply]]);
    if (at(data.chances) !== null) facts.push(['Chance to win', `${(data.chances[ply] / 10).toFixed(1)} %`]);
    if (at(data.depths) !== null) facts.push(['Depth', String(data.depths[ply])]);
    if (at(data.nodes) !== null) facts.push(['Nodes', data.nodes[ply].toLocaleString('en')]);
    if (at(data.times) !== null) facts.push(['Time', `${(data.times[ply] / 1000).toFixed(2)} s`]);
    const mark = MARKS[game.marks.get(ply)];
    if (mark) {
      note.append(html('p', { class: `verdict ${game.marks.get(ply)}` }, `${mark[0]} ${mark[1]}`));
    }
    if (game.comments.has(ply)) note.append(html('p', { class: 'comment' }, game.comments.get(ply)));
    if (facts.length) {
      const seat = game.playerWithColor(game.seatOf(ply));
      note.append(
        html('p', { class: 'whose' }, `Before the move, for ${seat}:`),
        html('dl', {}, ...facts.map(([name, value]) => html('div', {}, html('dt', {}, name), html('dd', {}, value)))),
      );
    }
    lines.forEach((line, index) => note.append(this.lineElement(ply, line, index)));
  }

  // A line with clickable moves.
  lineElement(ply, [name, score, plies], index) {
    const { game } = this;
    const start = game.data.plies_before ?? 0;
    const current = this.line && this.line.index === index ? this.line.steps : 0;
    const moves = plies.map((move, step) => html(
      'button',
      {
        type: 'button', class: 'move', 'aria-current': step + 1 === current,
        'aria-label': `Line: ${game.sentence(move, start + ply + step + 1, null)}`,
        onclick: () => this.playLine(ply, index, step + 1),
      },
      game.moveContent(move) ? inlineStone(game.moveContent(move), game.board.colors) : null,
      html('span', {}, game.moveText(move)),
    ));
    const title = [name || 'line', score].filter((part) => part).join(' ');
    return html('div', { class: 'line' }, html('span', { class: 'line-name' }, title), ...moves);
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest('input, textarea, select, [role=listbox]')) return;
    const acts = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.goTo(0),
      End: () => this.goTo(this.game.plies),
      m: () => this.nextMistake(1),
      M: () => this.nextMistake(-1),
    };
    if (!(event.key in acts)) return;
    event.preventDefault();
    acts[event.key]();
  }

  // Handles links to games, which may be on another page.
  onLink(event) {
    const link = event.target.closest('a[data-game]');
    if (!link) return;
    event.preventDefault();
    this.open(Number(link.dataset.game), null);
    this.element.scrollIntoView();
  }

  // Shows a game by its number, which may be on another page.
  open(number, ply) {
    const index = number - this.firstNumber;
    if (index >= 0 && index < this.store.count) {
      this.choose(index, ply);
    } else if (this.gamesAPage > 0) {
      const page = Math.ceil(number / this.gamesAPage);
      const name = this.element.dataset.pageName;
      const file = page > 1 ? name.replace(/(\.[^.]*)?$/, `-${page}$1`) : name;
      window.location.href = `${encodeURIComponent(file)}#game=${number}`;
    }
  }

  readAddress() {
    if (window.location.hash === this.address) return;
    const address = new URLSearchParams(window.location.hash.slice(1));
    const number = Number(address.get('game') ?? this.firstNumber);
    const ply = address.has('ply') ? Number(address.get('ply')) : null;
    const index = number - this.firstNumber;
    if (index >= 0 && index < this.store.count) this.choose(index, Number.isInteger(ply) ? ply : null);
    else if (!this.game) this.choose(0, null);
  }

  // The address is written after a pause, because browsers refuse many changes in a row.
  writeAddress() {
    this.address = `#game=${this.firstNumber + this.index}&ply=${this.ply}`;
    window.clearTimeout(this.addressTimer);
    this.addressTimer = window.setTimeout(() => {
      if (window.location.hash !== this.address) window.history.replaceState(null, '', this.address);
    }, 300);
  }
}

// A click on the head of a column sorts the table.
function makeSortable(table) {
  const body = table.tBodies[0];
  const value = (row, column) => {
    const text = row.cells[column]?.textContent.trim() ?? '';
    const number = Number.parseFloat(text.replace(/[,\s%+]/g, '').replace('−', '-'));
    return { text, number };
  };
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const sort = () => {
      const descends = head.getAttribute('aria-sort') !== 'descending';
      for (const other of head.parentElement.cells) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', descends ? 'descending' : 'ascending');
      const rows = [...body.rows].sort((a, b) => {
        const [x, y] = [value(a, column), value(b, column)];
        const order = Number.isNaN(x.number) || Number.isNaN(y.number)
          ? y.text.localeCompare(x.text)
          : y.number - x.number;
        return descends ? order : -order;
      });
      body.append(...rows);
    };
    const button = html('button', { type: 'button', onclick: sort }, ...head.childNodes);
    head.append(button);
  });
}

document.querySelectorAll('table').forEach((table) => makeSortable(table));
new Viewer(document.getElementById('viewer'));
