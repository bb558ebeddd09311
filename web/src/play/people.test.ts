import { expect, it } from 'vitest';
import { wordsOf } from '../i18n';
import { shownName } from './people';
import zh from './words/more.zh';

it('whoever chose no name is a player with a number, everybody else a masked name', () => {
  for (const [masked, shown] of [
    ['wf**3456', '玩家 3456'],
    ['小**', '小**'],
    ['w***', 'w***'],
    ['wf**', 'wf**'],
  ] as const)
    expect(shownName(masked, (key, values) => wordsOf(zh, 'zh', key, values))).toBe(shown);
});
