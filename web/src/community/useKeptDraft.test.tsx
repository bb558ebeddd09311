// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { EMPTY_DRAFT, keptDraft, useKeptDraft } from './useKeptDraft';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
});

const open = (place = 'new', start = EMPTY_DRAFT) => renderHook(() => useKeptDraft(place, start)).result;

it('what was written is there after a reload, each place for itself', () => {
  const first = open();
  expect(first.current.restored).toBe(false);
  act(() => first.current.change({ title: 'Tea' }));
  act(() => first.current.change({ body: 'First flush' }));
  expect(first.current.saved).toBe(true);
  const again = open();
  expect(again.current.draft).toEqual({ title: 'Tea', link: '', body: 'First flush' });
  expect(again.current.restored).toBe(true);
  expect(open('7').current.draft).toEqual(EMPTY_DRAFT);
});

it('what is published or thrown away is gone, and so is what equals the start', () => {
  const start = { title: 'Tea', link: '', body: 'As it was' };
  const page = open('7', start);
  act(() => page.current.change({ body: 'Other' }));
  act(() => page.current.change({ body: 'As it was' }));
  expect(page.current.saved).toBe(false);
  expect(keptDraft('7')).toBeUndefined();
  act(() => page.current.change({ body: 'Other' }));
  act(() => page.current.discard());
  expect(page.current.draft).toEqual(start);
  expect(keptDraft('7')).toBeUndefined();
});

it.each(['no json', '[]', '{"title":1,"link":"","body":""}', '{"title":"a"}'])('is no draft: %s', (text) => {
  localStorage.setItem('windfall.draft.new', text);
  expect(open().current.draft).toEqual(EMPTY_DRAFT);
});

it('a browser that keeps nothing still lets one write', () => {
  const full = () => {
    throw new Error('full');
  };
  vi.stubGlobal('localStorage', { getItem: full, setItem: full, removeItem: full });
  const page = open();
  act(() => page.current.change({ title: 'Tea' }));
  expect(page.current.draft.title).toBe('Tea');
  expect(page.current.saved).toBe(false);
});
