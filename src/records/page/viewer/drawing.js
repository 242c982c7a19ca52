'use strict';

// Elements of HTML and SVG. Foreign text only ever becomes a text node.

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

// The same for SVG. Lengths are rounded to what can be seen.
function svg(tag, attributes = {}, ...children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'number') attributes[name] = Math.round(value * 1000) / 1000;
  }
  return fill(document.createElementNS(SVG_NAMESPACE, tag), attributes, children);
}

function points(list) {
  return list.map(([x, y]) => `${Math.round(x * 1000) / 1000},${Math.round(y * 1000) / 1000}`).join(' ');
}

// What lies on a cell: 1 to 4 are the colors, 5 neutral, 6 power, 9 to 12 bombs of the colors.
const NEUTRAL = 5;
const POWER = 6;
const BOMB = 8;

// The name of a content, as classes and people know it.
function contentName(content, colors) {
  if (content === NEUTRAL) return 'Neutral';
  if (content === POWER) return 'Power';
  return colors[(content & ~BOMB) - 1] ?? 'Unknown';
}

// A stone around (x, y). Besides by color, stones are told apart by a sign.
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

// A stone within a line of text.
function inlineStone(content, colors) {
  return svg('svg', { class: 'inline-stone', viewBox: '-0.5 -0.5 1 1', 'aria-hidden': 'true' }, stone(content, colors, 0, 0));
}
