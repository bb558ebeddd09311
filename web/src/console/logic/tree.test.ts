import { describe, expect, it } from 'vitest';
import type { EdgeBody, NodeBody } from '../../api/wire';
import { addEdge, branch, edgeText, layout, newTree, operand, prune, removeEdge, retype } from './tree';

const leaf = (id: number): NodeBody => ({ id, leaf: 'allow' });
const ask = (id: number, to: number[], otherwise: number): NodeBody => ({
  id,
  fact: 'age',
  type: 'number',
  edges: to.map((one) => ({ when: '=', value: 1, to: one })),
  otherwise,
});
const rowsOf = (nodes: NodeBody[], root: number) =>
  Object.fromEntries(layout(nodes, root).spots.map(({ id, y }) => [id, y]));

describe('a tree is drawn', () => {
  it('in rows by the longest way from the root', () => {
    expect(rowsOf([ask(1, [2], 3), ask(2, [4], 5), leaf(3), leaf(4), leaf(5)], 1)).toEqual({
      1: 0,
      2: 1,
      3: 1,
      4: 2,
      5: 2,
    });
    // Shared: below the lower of the two that lead to it.
    expect(rowsOf([ask(1, [2], 3), ask(2, [3], 3), leaf(3)], 1)).toEqual({ 1: 0, 2: 1, 3: 2 });
  });

  it('even where it is broken: a ring, a hole, and what nothing leads to', () => {
    expect(rowsOf([ask(1, [1], 7)], 1)).toEqual({ 1: 0 });
    expect(rowsOf([leaf(1), leaf(9)], 1)).toEqual({ 1: 0, 9: 1 });
  });

  it('with no two nodes at one place', () => {
    const nodes = [
      ask(1, [2, 3], 4),
      ask(2, [5, 6], 7),
      ask(3, [6, 8], 9),
      ask(4, [5], 9),
      leaf(5),
      leaf(6),
      leaf(7),
      leaf(8),
      leaf(9),
    ];
    const places = layout(nodes, 1).spots.map(({ x, y }) => `${x} ${y}`);
    expect(new Set(places).size).toBe(nodes.length);
  });
});

describe('a tree is edited', () => {
  it('by branching a leaf, which keeps what it said as the default', () => {
    const tree = branch(newTree(), 2);
    const node = tree.nodes.find(({ id }) => id === 2);
    expect(node).toMatchObject({ fact: 'registered_days_ago', otherwise: 4, edges: [{ to: 5 }] });
    expect(tree.nodes.find(({ id }) => id === 4)).toMatchObject({ leaf: 'allow' });
  });

  it('by adding and removing edges; what nothing leads to goes', () => {
    const more = addEdge(newTree(), 1);
    expect(more.nodes.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(removeEdge(more, 1, 1).nodes.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(prune(more, 1).nodes).toEqual([{ id: 1, leaf: 'deny' }]);
  });

  it('by asking for a fact of another type, whose conditions it then has', () => {
    const node: NodeBody = {
      ...ask(1, [2, 3], 4),
      edges: [
        { when: '>=', value: 18, to: 2 },
        { when: 'in', values: [1], to: 3 },
      ],
    };
    expect(retype(node, 'number').edges).toEqual(node.edges);
    expect(retype(node, 'flag').edges).toEqual([
      { when: '=', value: true, to: 2 },
      { when: '=', value: true, to: 3 },
    ]);
    expect(retype(node, 'tags').edges).toEqual([
      { when: '=', value: '', to: 2 },
      { when: '=', value: '', to: 3 },
    ]);
  });

  it.each([
    ['number', '18', 18],
    ['number', 'x', 'x'],
    ['text', '18', '18'],
    ['flag', 'true', true],
    ['tags', 'vip', 'vip'],
  ])('with a %s "%s" read as %s', (type, typed, value) => {
    expect(operand(type, typed)).toBe(value);
  });

  it.each<[EdgeBody, string]>([
    [{ when: '>=', value: 18, to: 1 }, '≥ 18'],
    [{ when: 'in', values: ['a', 'b'], to: 1 }, '∈ a, b'],
    [{ when: 'range', from: 1, up_to: 9, to: 1 }, '1 – 9'],
  ])('%j reads %s', (edge, text) => {
    expect(edgeText(edge)).toBe(text);
  });
});
