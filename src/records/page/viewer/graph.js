'use strict';

// The probability to win and the depth of the search over a game. A click goes to a ply.

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

  // With two sides all values are those of the first side; else each seat has its own line.
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

  // How the lines of the players look.
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
