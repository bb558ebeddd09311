// A field for a code by text message, with the button that sends it.

import { Problem, call } from './api.js';
import { fill, h } from './dom.js';
import { busy, countdown, field } from './forms.js';
import { t } from './i18n.js';

// What was sent, by where it went: changing tab or language must not forget the wait or the demo code, and a number
// typed wrong must not make the right one wait.
const sent = new Map();

/** Codes are used up, or somebody else is here now. */
export const forgetCodes = () => sent.clear();

/**
 * `send()` answers the request as { path, body }, or null after pointing at the field that is missing; `memory()` names
 * where the code goes; `report()` answers what shows a problem. `again` looks anew when that place has changed.
 */
export function codeField({ name = 'code', label = t('code'), memory, send, report }) {
  const note = h('div', { class: 'sent', 'aria-live': 'polite' });
  const button = h('button', { type: 'button', class: 'secondary send', onclick: ask }, t('code.send'));
  const made = field({ name, label, inputmode: 'numeric', autocomplete: 'one-time-code', maxlength: '6', beside: button, below: note });
  let ticking;

  async function ask() {
    const wish = send();
    if (!wish || button.disabled || button.classList.contains('busy')) return;
    made.clear();
    busy(note, button, true);
    try {
      const answer = await call('POST', wish.path, { body: wish.body });
      sent.set(memory(), { until: Date.now() + answer.resend_in_s * 1000, minutes: Math.round(answer.expires_in_s / 60),
        ends: Date.now() + answer.expires_in_s * 1000, demo: answer.demo_code ?? null });
      show();
      made.focus();
    } catch (error) {
      const wait = error instanceof Problem && error.code === 'code_too_soon' ? error.retryAfterS : null;
      if (wait) hold(wait);
      report()(wait ? Object.assign(error, { retryAfterS: null }) : error);
    } finally {
      busy(note, button, false);
    }
  }

  function hold(seconds) {
    clearInterval(ticking);
    countdown(seconds, (left) => {
      button.disabled = left > 0;
      button.textContent = left > 0 ? t('code.resend', { s: left }) : t('code.send');
    }, (id) => { ticking = id; });
  }

  function show() {
    const memo = sent.get(memory());
    hold(memo ? Math.max(0, (memo.until - Date.now()) / 1000) : 0);
    if (!memo || memo.ends < Date.now()) return void note.replaceChildren();
    fill(note, h('p', { class: 'hint' }, t('code.sent', { n: memo.minutes })), memo.demo && demoChip(memo.demo));
  }

  function demoChip(code) {
    const use = () => {
      made.input.value = code;
      made.clear();
      made.focus();
    };
    return h('p', { class: 'demo' }, h('span', {}, t('code.demo')), h('b', {}, code),
      h('button', { type: 'button', class: 'link', onclick: use }, t('code.fill')));
  }

  show();
  return { ...made, again: show };
}
