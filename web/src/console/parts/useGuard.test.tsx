// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { useGuard } from './useGuard';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** The reader's answer to the question. */
function answer(says: boolean) {
  const confirm = vi.fn(() => says);
  vi.stubGlobal('confirm', confirm);
  return confirm;
}

function Form({ dirty }: { dirty: boolean }) {
  useGuard(dirty, 'Leave?');
  return <p>form</p>;
}

function open(dirty: boolean) {
  const router = createMemoryRouter(
    [
      { path: '/form', element: <Form dirty={dirty} /> },
      { path: '/list', element: <p>list</p> },
    ],
    { initialEntries: ['/list', '/form'] },
  );
  render(<RouterProvider router={router} />);
  return router;
}

it('what is typed and not saved is left only by somebody who says so', async () => {
  for (const [dirty, says, shown, asked] of [
    [false, false, 'list', 0],
    [true, false, 'form', 1],
    [true, true, 'list', 1],
  ] as const) {
    const confirm = answer(says);
    const router = open(dirty);
    await act(() => router.navigate('/list'));
    await screen.findByText(shown);
    expect(confirm).toHaveBeenCalledTimes(asked);
    cleanup();
    vi.unstubAllGlobals();
  }
});

it('Back asks as a link does', async () => {
  const confirm = answer(false);
  const router = open(true);
  await act(() => router.navigate(-1));
  expect(confirm).toHaveBeenCalledWith('Leave?');
  expect(router.state.location.pathname).toBe('/form');
});

it('another filter of the same page asks nothing', async () => {
  const confirm = answer(false);
  const router = open(true);
  await act(() => router.navigate('/form?step=2'));
  expect(confirm).not.toHaveBeenCalled();
  expect(router.state.location.search).toBe('?step=2');
});

it('a tab that is closed asks while something is not saved', () => {
  for (const dirty of [true, false]) {
    open(dirty);
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    expect(event.defaultPrevented).toBe(dirty);
    cleanup();
  }
});
