// Forms: labelled fields, problems shown where they belong, and one idempotency key per thing wanted.

import { Left, Problem, freshKey } from './api.js';
import { fill, freshId, h } from './dom.js';
import { t } from './i18n.js';

/** A labelled input. `beside` stands next to it, `below` under it. */
export function field({ name, label, hint, beside, below, optional, options, ...props }) {
  const id = freshId(name);
  const about = [hint && `${id}-hint`, `${id}-error`].filter(Boolean).join(' ');
  const attrs = { id, name, 'aria-describedby': about, 'aria-required': optional ? null : 'true', ...props };
  const input = options
    ? h('select', attrs, options.map(([value, text]) => h('option', { value }, text)))
    : h('input', { type: 'text', autocapitalize: 'off', ...attrs });
  if (options && props.value !== undefined) input.value = props.value;
  const error = h('p', { id: `${id}-error`, class: 'error', 'aria-live': 'polite' });
  const secret = props.type === 'password' ? revealer(input) : null;
  const node = h('div', { class: 'field' },
    h('label', { for: id }, label),
    h('div', { class: 'inputs' }, h('div', { class: 'input' }, input, secret), beside),
    hint && h('p', { id: `${id}-hint`, class: 'hint' }, hint),
    error, below);
  const complain = (text, small) => {
    input.setAttribute('aria-invalid', 'true');
    fill(error, text, small && h('small', {}, small));
  };
  const clear = () => {
    input.removeAttribute('aria-invalid');
    error.replaceChildren();
  };
  input.addEventListener('input', clear);
  const missing = () => (!optional && !input.value.trim() ? t('need') : null);
  return { name, node, input, complain, clear, missing, focus: () => input.focus(), read: () => (props.type === 'password' ? input.value : input.value.trim()) };
}

function revealer(input) {
  const button = h('button', { type: 'button', class: 'inside', 'aria-pressed': 'false', onclick: () => {
    const show = input.type === 'password';
    input.type = show ? 'text' : 'password';
    button.setAttribute('aria-pressed', String(show));
    button.textContent = t(show ? 'password.hide' : 'password.show');
  } }, t('password.show'));
  return button;
}

/** Boxes to tick; reads as a list of names. */
export function boxes({ name, label, options, ticked = [], needsOne }) {
  const inputs = options.map(([value]) => h('input', { type: 'checkbox', name, value, checked: ticked.includes(value) }));
  const error = h('p', { class: 'error', 'aria-live': 'polite' });
  const node = h('fieldset', { class: 'boxes' }, h('legend', {}, label),
    options.map(([, text], at) => h('label', { class: 'box' }, inputs[at], h('span', {}, text))), error);
  const read = () => inputs.filter((input) => input.checked).map((input) => input.value);
  return { name, node, read, focus: () => inputs[0].focus(), clear: () => error.replaceChildren(),
    complain: (text, small) => fill(error, text, small && h('small', {}, small)),
    missing: () => (needsOne && !read().length ? t('need.one') : null) };
}

/** One box; reads as true or false. */
export function tick({ name, label, checked }) {
  const input = h('input', { type: 'checkbox', name, checked });
  const node = h('label', { class: 'box' }, input, h('span', {}, label));
  return { name, node, read: () => input.checked, focus: () => input.focus(), clear: () => {}, complain: () => {}, missing: () => null };
}

/** Where a whole form's problem is said, with the request's id and a countdown when waiting helps. */
export function problemBox() {
  const node = h('div', { class: 'problem', role: 'alert' });
  let timer;
  const clear = () => {
    clearInterval(timer);
    node.replaceChildren();
  };
  const show = (error) => {
    clear();
    const small = error.requestId && h('small', {}, t('request', { id: error.requestId }));
    const wait = h('p', { 'aria-live': 'off' });
    fill(node, h('p', {}, error.title ?? error.message), wait, small);
    if (error.retryAfterS) countdown(error.retryAfterS, (left) => {
      wait.textContent = left > 0 ? t('retry', { s: left }) : t('retry.now');
    }, (id) => { timer = id; });
  };
  return { node, show, clear };
}

/** Calls back now and every second until nothing is left, by the clock rather than by counting ticks. */
export function countdown(seconds, each, started = () => {}) {
  const end = Date.now() + seconds * 1000;
  const left = () => Math.max(0, Math.ceil((end - Date.now()) / 1000));
  each(left());
  const id = setInterval(() => {
    each(left());
    if (left() === 0) clearInterval(id);
  }, 1000);
  started(id);
}

/** "phone: is not written…" beside the field Phone says its name twice; the sentence is enough. */
function sentence(problem) {
  const cut = problem.title.replace(new RegExp(`^${problem.field}\\s*[:：]?\\s*`), '');
  return cut.charAt(0).toUpperCase() + cut.slice(1);
}

/**
 * A form. `run(values, key)` does the work; `aim` maps a problem's code or field to the field here that it is about;
 * `after` are nodes below the button.
 */
export function form({ fields, submit, run, aim = {}, danger, keyed, before, after, cancel }) {
  const box = problemBox();
  const button = h('button', { class: danger ? 'danger' : 'primary' }, submit);
  let wanted = { text: null, key: null };
  let holdTimer;

  const report = (error) => {
    const target = error instanceof Problem
      && fields.find((one) => one.name === (aim[error.code] ?? aim[error.field] ?? error.field));
    if (target) {
      target.complain(error.field ? sentence(error) : error.title, error.requestId && t('request', { id: error.requestId }));
      target.focus();
    } else {
      box.show(error);
    }
    if (error.retryAfterS) {
      clearInterval(holdTimer);
      countdown(error.retryAfterS, (left) => { button.disabled = left > 0; }, (id) => { holdTimer = id; });
    }
  };

  const onsubmit = async (event) => {
    event.preventDefault();
    if (node.getAttribute('aria-busy') === 'true' || button.disabled) return;
    box.clear();
    fields.forEach((one) => one.clear());
    const empty = fields.filter((one) => one.missing());
    empty.forEach((one) => one.complain(one.missing()));
    if (empty.length) return void empty[0].focus();
    const values = Object.fromEntries(fields.map((one) => [one.name, one.read()]));
    // The same wish keeps its key until the server has decided it, so that trying again cannot do it twice.
    const text = JSON.stringify(values);
    if (wanted.text !== text) wanted = { text, key: freshKey() };
    busy(node, button, true);
    try {
      await run(values, keyed ? wanted.key : undefined);
      wanted = { text: null, key: null };
    } catch (error) {
      if (error instanceof Problem && error.status < 500) wanted = { text: null, key: null };
      if (error instanceof Left) return;
      busy(node, button, false);
      report(error);
      return;
    }
    busy(node, button, false);
  };
  const node = h('form', { novalidate: true, onsubmit }, before, fields.map((one) => one.node), box.node,
    h('div', { class: 'buttons' }, cancel, button), after);
  return { node, fields, report, button, reset: () => node.reset() };
}

export function busy(node, button, on) {
  node.setAttribute('aria-busy', String(on));
  button.classList.toggle('busy', on);
}
