// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { rowsInSight, VirtualList } from './VirtualList';

const ROW_PX = 50;

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it('only what is in sight, and some around it, is in the page', () => {
  for (const [what, count, topPx, expected] of [
    ['short', 80, 0, [0, 80]],
    ['at the top', 1000, 100, [0, 30]],
    ['scrolled', 1000, -10_000, [185, 231]],
    ['at the end', 1000, -49_200, [969, 1000]],
    ['beyond the end', 1000, -90_000, [970, 1000]],
    ['before it comes into sight', 1000, 9000, [0, 30]],
  ] as const) {
    expect(rowsInSight({ count, rowPx: ROW_PX, topPx, sightPx: 800 }), what).toEqual(expected);
  }
});

it('the list is as long as all of its rows, and knows how many there are', () => {
  let topPx = 0;
  vi.spyOn(HTMLUListElement.prototype, 'getBoundingClientRect').mockImplementation(function (
    this: HTMLElement,
  ) {
    const space =
      Number.parseFloat(this.style.paddingTop || '0') + Number.parseFloat(this.style.paddingBottom || '0');
    return { top: topPx, height: this.children.length * ROW_PX + space } as DOMRect;
  });
  const rows = Array.from({ length: 1000 }, (_, n) => `row ${n}`);
  render(
    <VirtualList rows={rows} keyOf={(row) => row} rowPx={ROW_PX}>
      {(row) => row}
    </VirtualList>,
  );
  const height = () => {
    const list = screen.getByRole('list');
    return list.getBoundingClientRect().height;
  };
  expect(screen.getAllByRole('listitem').length).toBeLessThan(100);
  expect(height()).toBe(1000 * ROW_PX);
  topPx = -20_000;
  act(() => void window.dispatchEvent(new Event('scroll')));
  const row = screen.getByText('row 400');
  expect(row.getAttribute('aria-posinset')).toBe('401');
  expect(row.getAttribute('aria-setsize')).toBe('1000');
  expect(screen.queryByText('row 0')).toBeNull();
  expect(height()).toBe(1000 * ROW_PX);
});
