// A small element builder. Text always goes in as text nodes, so data can never become markup.

const SVG = 'http://www.w3.org/2000/svg';
const SVG_TAGS = new Set(['svg', 'path', 'circle', 'g', 'ellipse', 'line']);

/** h('p', {class: 'x', onclick: f}, 'text', node, [more]) — null, undefined and false children are left out. */
export function h(tag, props = {}, ...children) {
  const node = SVG_TAGS.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'value') node.value = value;
    else if (name === 'checked') node.checked = value;
    else node.setAttribute(name, value === true ? '' : value);
  }
  add(node, children);
  return node;
}

function add(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** Puts other children into a node. */
export function fill(node, ...children) {
  node.replaceChildren();
  add(node, children);
  return node;
}

let last = 0;
export const freshId = (name) => `${name}-${(last += 1)}`;

export const byId = (id) => document.getElementById(id);

/** The mark beside headings and in the header. */
export const mark = (size) => h('img', { src: '/assets/mark.svg', width: size, height: size, alt: '' });

/** A title the page moves the reader to; focusable by script only. */
export const heading = (level, text) => h(`h${level}`, { tabindex: '-1' }, text);
