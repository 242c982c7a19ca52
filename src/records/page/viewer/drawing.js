'use strict';

// Elements of HTML and SVG. Text of foreign origin only becomes text nodes.

// The namespace of SVG, as the parser knows it.
const SVG_NAMESPACE = (() => {
  const template = document.createElement('template');
  template.innerHTML = '<svg></svg>';
  return template.content.firstChild.namespaceURI;
})();

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), value);
    } else if (value === true) {
      element.setAttribute(name, '');
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value);
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// html('button', {type: 'button', onclick: handler}, 'Text', otherElement)
function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

// The same for SVG. Lengths are rounded to the visible precision.
function svg(tag, attributes = {}, ...children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'number') attributes[name] = Math.round(value * 1000) / 1000;
  }
  return fill(document.createElementNS(SVG_NAMESPACE, tag), attributes, children);
}

function points(list) {
  return list.map(([x, y]) => `${Math.round(x * 1000) / 1000},${Math.round(y * 1000) / 1000}`).join(' ');
}

// The contents of a cell: 1 to 4 are the colors, 5 neutral, 6 power, 9 to 12 bombs of the colors.
const NEUTRAL = 5;
const POWER = 6;
const BOMB = 8;

// The name of a content, for classes and for people.
function contentName(content, colors) {
  if (content === NEUTRAL) return 'Neutral';
  if (content === POWER) return 'Power';
  return colors[(content & ~BOMB) - 1] ?? 'Unknown';
}

// A stone at (x, y). Each kind of stone has a color and a symbol.
function stone(content, colors, x, y, radius = 0.46) {
  const name = contentName(content, colors).toLowerCase();
  const group = svg('g', { class: `stone ${name}` }, svg('circle', { cx: x, cy: y, r: radius }));
  const r = radius * 0.42;
  const at = (list) => points(list.map(([dx, dy]) => [x + dx * r, y + dy * r]));
  if (content & BOMB) {
    const rays = [[0, -1.7], [1.2, -1.2], [1.7, 0], [1.2, 1.2], [0, 1.7], [-1.2, 1.2], [-1.7, 0], [-1.2, -1.2]];
    for (const [dx, dy] of rays) {
      group.append(svg('line', { class: 'sign-line', x1: x, y1: y, x2: x + dx * r, y2: y + dy * r }));
    }
    group.append(svg('circle', { class: 'sign', cx: x, cy: y, r: r * 0.8 }));
  } else if (content === NEUTRAL) {
    group.append(
      svg('line', { class: 'sign-line', x1: x - r, y1: y - r, x2: x + r, y2: y + r }),
      svg('line', { class: 'sign-line', x1: x - r, y1: y + r, x2: x + r, y2: y - r }),
    );
  } else if (content === POWER) {
    const star = Array.from({ length: 10 }, (_, n) => {
      const reach = n % 2 ? 0.6 : 1.5;
      return [Math.sin((n * Math.PI) / 5) * reach, -Math.cos((n * Math.PI) / 5) * reach];
    });
    group.append(svg('polygon', { class: 'sign', points: at(star) }));
  } else if (name === 'red') {
    group.append(svg('polygon', { class: 'sign', points: at([[0, -1.1], [1, 0.7], [-1, 0.7]]) }));
  } else if (name === 'green') {
    group.append(svg('polygon', { class: 'sign', points: at([[-0.8, -0.8], [0.8, -0.8], [0.8, 0.8], [-0.8, 0.8]]) }));
  }
  return group;
}

// A stone in a line of text.
function inlineStone(content, colors) {
  return svg('svg', { class: 'inline-stone', viewBox: '-0.5 -0.5 1 1', 'aria-hidden': 'true' }, stone(content, colors, 0, 0));
}

// A board with its stones or tiles.

class BoardView {
  constructor(element) {
    this.element = element;
    this.game = null;
  }

  // Draws the parts that do not change during a game.
  show(game) {
    this.game = game;
    const { board } = game;
    const bounds = game.bounds();
    this.layer = svg('g');
    const ground = svg('g', { class: 'ground' });
    if (board.shape === 'point') this.drawPoints(ground);
    if (board.shape === 'hexagon') this.drawHexagons(ground);
    const labels = game.isTable ? this.tableLabels(bounds) : board.labels;
    for (const [x, y, name] of labels) ground.append(svg('text', { class: 'coordinate', x, y }, name));
    this.element.replaceChildren(svg(
      'svg',
      { viewBox: bounds.join(' '), role: 'img', class: `board ${board.shape}` },
      this.title = svg('title'),
      ground,
      this.layer,
    ));
    this.element.style.setProperty('--aspect', bounds[2] / bounds[3]);
  }

  drawPoints(ground) {
    const { board } = this.game;
    const [left, top, width, height] = board.bounds;
    ground.append(svg('rect', {
      class: 'wood', x: left + 0.85, y: top + 0.85, width: width - 1.7, height: height - 1.7, rx: 0.1,
    }));
    for (const [x1, y1, x2, y2] of board.lines) ground.append(svg('line', { class: 'line', x1, y1, x2, y2 }));
    for (const [cx, cy] of board.stars) ground.append(svg('circle', { class: 'star', cx, cy, r: 0.09 }));
    for (const [x, y] of board.diamonds) {
      const corners = [[x, y - 0.28], [x + 0.28, y], [x, y + 0.28], [x - 0.28, y]];
      ground.append(svg('polygon', { class: 'diamond', points: points(corners) }));
    }
  }

  drawHexagons(ground) {
    const { board } = this.game;
    board.cells.forEach(([x, y], cell) => {
      const corners = board.outline.map(([dx, dy]) => [x + dx, y + dy]);
      ground.append(svg('polygon', { class: 'cell', points: points(corners) }));
      const place = board.names[cell].replace(/^[a-z]+/, '');
      ground.append(svg('text', { class: 'place', x, y }, place));
    });
  }

  tableLabels([left, top, width, height]) {
    const names = this.game.board.names;
    const labels = [];
    for (let x = left + 1.5; x <= left + width - 1.5; x += 1) {
      labels.push([x, top + 0.5, names[x]], [x, top + height - 0.5, names[x]]);
    }
    for (let y = top + 1.5; y <= top + height - 1.5; y += 1) {
      labels.push([left + 0.5, y, String(1 - y)], [left + width - 0.5, y, String(1 - y)]);
    }
    return labels;
  }

  // Draws a position. `hints` are plies that could have been played instead; `numbers` says whether
  // stones have the numbers of their moves.
  update(state, title, hints, numbers) {
    this.title.textContent = title;
    this.layer.replaceChildren();
    if (this.game.isTable) this.drawTiles(state, numbers);
    else this.drawStones(state, numbers);
    hints.forEach((hint, index) => this.drawHint(state, hint, String.fromCharCode(65 + index)));
  }

  drawStones(state, numbers) {
    const { board } = this.game;
    for (const [cell, content] of state.taken) {
      const [cx, cy] = this.game.cellMiddle(cell);
      const name = contentName(content, board.colors).toLowerCase();
      this.layer.append(svg('circle', { class: `taken ${name}`, cx, cy, r: 0.4 }));
    }
    for (const [cell, content] of state.contents) {
      const [x, y] = this.game.cellMiddle(cell);
      const drawn = stone(content, board.colors, x, y, board.shape === 'hexagon' ? 0.4 : 0.46);
      const number = numbers ? state.numbers.get(cell) : undefined;
      const isLast = state.last.includes(cell);
      if (number !== undefined) {
        drawn.classList.add('numbered');
        drawn.append(svg('text', { class: 'number', x, y }, String(number)));
        if (isLast) drawn.append(svg('circle', { class: 'last', cx: x, cy: y, r: 0.41 }));
      } else if (isLast) {
        // The ring is around the symbol of a stone that has one.
        const radius = content > 2 ? 0.36 : 0.24;
        drawn.append(svg('circle', { class: 'last', cx: x, cy: y, r: radius }));
      }
      this.layer.append(drawn);
    }
  }

  drawTiles(state, numbers) {
    const edges = [];
    const columns = this.game.board.names.length;
    for (const [cell, index] of state.contents) {
      const [x, y] = this.game.cellMiddle(cell);
      const tile = state.tiles[index];
      const color = contentName(tile.content, this.game.board.colors).toLowerCase();
      const isLast = state.last.includes(cell);
      const square = svg('rect', { x: x - 0.5, y: y - 0.5, width: 1, height: 1 });
      square.style.setProperty('--level', Math.min(tile.level, 7));
      const text = numbers && tile.number ? tile.number : tile.level;
      this.layer.append(svg(
        'g',
        { class: `tile ${color}${isLast ? ' last-tile' : ''}` },
        square,
        svg('text', { class: 'level', x, y }, String(text)),
      ));
      const differs = (other) => state.contents.get(other) !== index;
      const [left, top, right, bottom] = [x - 0.5, y - 0.5, x + 0.5, y + 0.5];
      if (differs(cell - 1)) edges.push([left, top, left, bottom]);
      if (differs(cell + 1)) edges.push([right, top, right, bottom]);
      if (differs(cell + columns)) edges.push([left, top, right, top]);
      if (differs(cell - columns)) edges.push([left, bottom, right, bottom]);
    }
    for (const [x1, y1, x2, y2] of edges) this.layer.append(svg('line', { class: 'edge', x1, y1, x2, y2 }));
    const last = new Set(state.last);
    for (const [x1, y1, x2, y2] of this.outline(last)) {
      this.layer.append(svg('line', { class: 'last-edge', x1, y1, x2, y2 }));
    }
  }

  // The outline of some cells of a table.
  outline(cells) {
    const columns = this.game.board.names.length;
    const edges = [];
    for (const cell of cells) {
      const [x, y] = this.game.cellMiddle(cell);
      const [left, top, right, bottom] = [x - 0.5, y - 0.5, x + 0.5, y + 0.5];
      if (!cells.has(cell - 1)) edges.push([left, top, left, bottom]);
      if (!cells.has(cell + 1)) edges.push([right, top, right, bottom]);
      if (!cells.has(cell + columns)) edges.push([left, top, right, top]);
      if (!cells.has(cell - columns)) edges.push([left, bottom, right, bottom]);
    }
    return edges;
  }

  drawHint(state, ply, letter) {
    const cells = this.game.moveCells(ply);
    if (!cells.length) return;
    const [x, y] = this.game.cellMiddle(cells[0]);
    const group = svg('g', { class: 'hint' });
    if (this.game.isTable) {
      for (const [x1, y1, x2, y2] of this.outline(new Set(cells))) {
        group.append(svg('line', { class: 'hint-edge', x1, y1, x2, y2 }));
      }
    } else if (state.contents.has(cells[0])) {
      return;
    } else {
      group.append(svg('circle', { class: 'hint-ring', cx: x, cy: y, r: 0.38 }));
    }
    group.append(svg('text', { class: 'hint-letter', x, y }, letter));
    this.layer.append(group);
  }
}

// A graph of the win probability and the search depth over a game. A click goes to a ply.

const GRAPH = { width: 480, height: 170, left: 44, right: 28, top: 10, bottom: 22 };

class Graph {
  constructor(element, goTo) {
    this.element = element;
    this.goTo = goTo;
  }

  show(game) {
    this.game = game;
    this.ply = 0;
    const chances = game.data.chances ?? [];
    this.element.replaceChildren();
    this.element.hidden = !chances.some((chance) => chance !== null) && !(game.data.depths ?? []).length;
    if (this.element.hidden) return;
    const { width, height, left, right, top, bottom } = GRAPH;
    this.cursor = svg('line', { class: 'cursor', y1: top, y2: height - bottom });
    const drawing = svg(
      'svg',
      {
        viewBox: `0 0 ${width} ${height}`, class: 'graph', tabindex: '0', role: 'slider',
        'aria-label': 'Position in the game', 'aria-valuemin': '0', 'aria-valuemax': String(game.plies),
      },
      ...this.axes(),
    );
    for (const line of this.chanceLines(chances)) {
      if (line.area) drawing.append(svg('polygon', { class: 'area', points: this.area(line.points) }));
      drawing.append(svg('polyline', { class: `chance ${line.name}`, points: points(line.points) }));
    }
    drawing.append(...this.depthLine(), ...this.mistakeMarks(chances), this.cursor);
    drawing.append(svg('rect', {
      class: 'catch', x: left, y: 0, width: width - left - right, height,
    }));
    const follow = (event) => {
      if (event.type === 'pointermove' && !event.buttons) return;
      const box = drawing.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * width;
      const ply = Math.round(((x - left) / (width - left - right)) * game.plies);
      this.goTo(Math.min(Math.max(ply, 0), game.plies));
    };
    drawing.addEventListener('pointerdown', follow);
    drawing.addEventListener('pointermove', follow);
    this.drawing = drawing;
    this.element.append(drawing, this.legend());
  }

  x(ply) {
    const { width, left, right } = GRAPH;
    return left + (ply / Math.max(this.game.plies, 1)) * (width - left - right);
  }

  y(share) {
    const { height, top, bottom } = GRAPH;
    return top + (1 - share) * (height - top - bottom);
  }

  axes() {
    const { width, height, left, right } = GRAPH;
    const lines = [0, 0.5, 1].flatMap((share) => [
      svg('line', { class: share === 0.5 ? 'half' : 'frame', x1: left, x2: width - right, y1: this.y(share), y2: this.y(share) }),
      svg('text', { x: left - 4, y: this.y(share) + 4, 'text-anchor': 'end' }, `${share * 100} %`),
    ]);
    const step = [1, 2, 5, 10, 20, 50, 100].find((size) => this.game.plies / size <= 10) ?? 200;
    for (let ply = 0; ply <= this.game.plies; ply += step) {
      lines.push(svg('text', { x: this.x(ply), y: height - 5, 'text-anchor': 'middle' }, String(ply)));
    }
    return lines;
  }

  // With two sides, all values are those of the first side; else each seat has its own line.
  chanceLines(chances) {
    const { game } = this;
    const twoSides = game.sides() === 2;
    const apart = !twoSides || game.data.own_values;
    const lines = new Map();
    chances.forEach((chance, ply) => {
      if (chance === null) return;
      const seat = game.seatOf(ply);
      const share = chance / 1000;
      const own = twoSides && game.board.sides[seat] === 1 ? 1 - share : share;
      const key = apart ? seat : 0;
      if (!lines.has(key)) lines.set(key, []);
      lines.get(key).push([this.x(ply), this.y(own)]);
    });
    const { winner } = game.data;
    if (!apart && winner !== undefined && lines.has(0) && chances.length <= game.plies) {
      lines.get(0).push([this.x(game.plies), this.y(winner < 0 ? 0.5 : 1 - winner)]);
    }
    return [...lines].map(([seat, list]) => ({
      points: list, area: !apart, seat, name: apart ? game.colorOf(seat).toLowerCase() : 'all',
    }));
  }

  area(list) {
    return points([[list[0][0], this.y(0)], ...list, [list[list.length - 1][0], this.y(0)]]);
  }

  depthLine() {
    const depths = this.game.data.depths ?? [];
    const most = Math.max(0, ...depths.map((depth) => depth ?? 0));
    if (!most) return [];
    const list = depths.flatMap((depth, ply) => (depth === null ? [] : [[this.x(ply), this.y(depth / most)]]));
    const right = GRAPH.width - GRAPH.right + 4;
    return [
      svg('polyline', { class: 'depth', points: points(list) }),
      svg('text', { class: 'depth-scale', x: right, y: this.y(1) + 4 }, String(most)),
      svg('text', { class: 'depth-scale', x: right, y: this.y(0) + 4 }, '0'),
    ];
  }

  mistakeMarks() {
    return this.game.mistakes.map((ply) => {
      const x = this.x(ply + 1);
      const y = this.y(0);
      const mark = this.game.marks.get(ply);
      return svg('polygon', { class: `mistake ${mark}`, points: points([[x, y - 9], [x + 5, y], [x - 5, y]]) });
    });
  }

  legend() {
    const { game } = this;
    const whose = game.sides() === 2
      ? `Chance of ${game.playerWithColor(0)} to win`
      : `Chance to win of the player to move (${this.lineNames()})`;
    const parts = [whose];
    if (game.data.own_values && game.sides() === 2) parts.push(`as each player saw it (${this.lineNames()})`);
    if ((game.data.depths ?? []).length) parts.push('dotted: depth of search');
    if (game.mistakes.length) parts.push('triangles: mistakes');
    return html('p', { class: 'legend-text' }, `${parts.join('; ')}.`);
  }

  // The styles of the lines of the players.
  lineNames() {
    const looks = { white: 'solid', black: 'dashed', red: 'dotted', green: 'dots and dashes' };
    return this.game.board.colors.map((color) => `${color} ${looks[color.toLowerCase()]}`).join(', ');
  }

  update(ply, text) {
    if (this.element.hidden) return;
    this.cursor.setAttribute('x1', this.x(ply));
    this.cursor.setAttribute('x2', this.x(ply));
    this.drawing.setAttribute('aria-valuenow', String(ply));
    this.drawing.setAttribute('aria-valuetext', text);
  }
}
