// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useSteady } from './useSteady';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('follows a value only when it stays the same for long enough', () => {
  const { result, rerender } = renderHook(({ text }) => useSteady(text, 400), {
    initialProps: { text: 'a' },
  });
  for (const text of ['ab', 'abc']) {
    rerender({ text });
    act(() => void vi.advanceTimersByTime(399));
    expect(result.current).toBe('a');
  }
  act(() => void vi.advanceTimersByTime(1));
  expect(result.current).toBe('abc');
});
