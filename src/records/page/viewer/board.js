'use strict';

// A board with what lies on it.

class BoardView {
  constructor(element) {
    this.element = element;
    this.game = null;
  }

  // Draws what stays the same during a game.
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

  // Draws a position. `hints` are plies that could have been played instead, `numbers` says whether
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
        // The ring runs around the sign of a stone that has one.
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

  // The edges around some cells of a table.
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
