// @vitest-environment happy-dom
import { act, cleanup, render } from '@testing-library/react';
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useScroll } from './useScroll';

function Frame() {
  useScroll();
  return <Outlet />;
}

/** A window that says where it was scrolled to, as the reader's does. */
function scroll(y: number): void {
  vi.stubGlobal('scrollY', y);
  window.dispatchEvent(new Event('scroll'));
}

beforeEach(() => {
  vi.spyOn(window, 'scrollTo').mockImplementation(((_: number, y: number) =>
    scroll(y)) as typeof window.scrollTo);
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('a page begins at the top, and where it was left when somebody goes back', async () => {
  const pages = ['/a', '/b'].map((path) => ({ path, element: path }));
  const router = createMemoryRouter([{ element: <Frame />, children: pages }], { initialEntries: ['/a'] });
  render(<RouterProvider router={router} />);
  scroll(700);
  await act(() => router.navigate('/b'));
  expect(window.scrollY).toBe(0);
  scroll(90);
  await act(() => router.navigate(-1));
  expect(window.scrollY).toBe(700);
  await act(() => router.navigate(1));
  expect(window.scrollY).toBe(90);
});

it('another filter of the same page leaves it where it is', async () => {
  const router = createMemoryRouter([{ element: <Frame />, children: [{ path: '/a', element: 'a' }] }], {
    initialEntries: ['/a'],
  });
  render(<RouterProvider router={router} />);
  scroll(500);
  await act(() => router.navigate('/a?q=1'));
  expect(window.scrollY).toBe(500);
});
