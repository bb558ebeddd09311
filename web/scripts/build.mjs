// Builds the two entries one after the other, so that they share no file. Built together, a library that both use would be
// one file with all that either of them needs of it, and players would fetch the console's share.
import { build } from 'vite';

const ENTRIES = { play: 'index.html', console: 'console.html' };

let first = true;
for (const [name, page] of Object.entries(ENTRIES)) {
  await build({ build: { emptyOutDir: first, rolldownOptions: { input: { [name]: page } } } });
  first = false;
}
