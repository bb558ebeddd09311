// Dialogs that ask once before something is done, and the short notes that say it was.

import { byId, freshId, h } from './dom.js';
import { form } from './forms.js';
import { t } from './i18n.js';

/**
 * Asks in a dialog. `text` says what will happen; `fields` may ask for more; `run` does it, and a problem is shown
 * inside, so that nothing typed is lost. Settles true when it was done and false when the reader went back.
 */
export function ask({ title, text, fields = [], submit, danger, run, aim, keyed }) {
  return new Promise((resolve) => {
    let done = false;
    const cancel = h('button', { type: 'button', class: 'quiet', onclick: () => dialog.close() }, t('cancel'));
    const asked = form({ fields, submit, danger, aim, keyed, cancel, run: async (values, key) => {
      await run(values, key);
      done = true;
      dialog.close();
    } });
    const dialog = frame(title, text, asked.node);
    dialog.addEventListener('close', () => resolve(done));
    // A dangerous question starts on its way out; one that needs typing starts at the first field.
    (fields[0] ?? { focus: () => cancel.focus() }).focus();
  });
}

/** Opens a dialog around content; it leaves the page when it closes, and focus goes back to where it came from. */
export function frame(title, text, ...content) {
  const id = freshId('dialog');
  const dialog = h('dialog', { 'aria-labelledby': id, 'aria-describedby': text ? `${id}-text` : null },
    h('h2', { id }, title), text && h('p', { id: `${id}-text`, class: 'lead' }, text), content);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Closes whatever is open: the page behind it is about to change. */
export function closeAll() {
  document.querySelectorAll('dialog[open]').forEach((dialog) => dialog.close());
}

export function toast(text) {
  const note = h('p', { class: 'toast' }, text);
  // One at a time: the newest is what the reader just did.
  byId('toasts').replaceChildren(note);
  setTimeout(() => note.remove(), 5000);
}
