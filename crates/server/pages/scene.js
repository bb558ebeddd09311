// The drawing on the start page: fruit blown off a branch, each landing on its own tally mark.

import { h } from './dom.js';

const FRUIT = 'M.4-12.6c-3.7-2.7-14-1.3-14.1 10.3C-13.8 6.3-7.9 13-3.6 13c1.8 0 2.4-.8 3.9-.8s2.2.8 4 .8c4.5 0 10-6.7 9.9-15.2C14.1-13.7 3.9-15.1.4-12.6z';
const LEAF = 'M0 0c.7-6.4 5.1-10.4 12-10.7C11.8-4 7.2.4 0 0z';

function fruit(x, y, turn, order) {
  return h('g', { transform: `translate(${x} ${y}) rotate(${turn})` },
    h('g', { class: `fruit f${order}` },
      h('path', { d: FRUIT, class: 'skin' }),
      h('path', { d: 'M-8.6-2.5c.3-3.1 2.2-5 4.7-5.5', class: 'shine' }),
      h('path', { d: 'M.2-12c-.2-3-1-5.6-2.6-8', class: 'stem' }),
      h('path', { d: LEAF, transform: 'translate(.6 -15)', class: 'leaf' })));
}

export function scene() {
  const marks = [48, 104, 160, 216, 272, 328, 384, 440];
  return h('svg', { class: 'scene', viewBox: '0 0 480 210', 'aria-hidden': 'true', fill: 'none' },
    h('path', { d: 'M482 16c-46 4-78 26-128 24-38-2-58-14-94-10', class: 'branch' }),
    h('path', { d: 'M398 33c-14 10-22 12-36 14M318 37c-10-8-20-12-34-14', class: 'twig' }),
    [[404, 30, -20], [352, 40, 120], [316, 36, -70], [268, 29, 150], [440, 22, 30]].map(([x, y, turn]) =>
      h('path', { d: LEAF, transform: `translate(${x} ${y}) rotate(${turn}) scale(1.5)`, class: 'leaf' })),
    h('path', { d: 'M20 66c44-14 92-10 130 2s74 10 96-6M0 98c30-8 58-8 88-2M150 108c38 10 84 6 118-10M40 132c20-4 36-4 54 0', class: 'wind' }),
    fruit(372, 66, 4, 1), fruit(262, 92, -22, 2), fruit(168, 130, -38, 3),
    fruit(48, 170, 8, 0), fruit(104, 170, -6, 0),
    h('path', { d: 'M16 186c120-2 300-2 448 0', class: 'ground' }),
    marks.map((x, at) => h('path', { d: `M${x} 192v10`, class: at < 2 ? 'tally on' : 'tally' })));
}
