// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { type ReactNode, Suspense } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { lazyPage } from './lazyPage';

afterEach(cleanup);

it('a page whose file could not be fetched is fetched again by whoever comes back to it', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const fetch = vi
    .fn<() => Promise<{ default: () => ReactNode }>>()
    .mockRejectedValueOnce(new Error('offline'))
    .mockResolvedValue({ default: () => 'here it is' });
  const Page = lazyPage(fetch);
  const router = createMemoryRouter(
    [
      {
        path: '/page',
        element: (
          <Suspense>
            <Page />
          </Suspense>
        ),
        errorElement: 'broken',
      },
      { path: '/other', element: 'other' },
    ],
    { initialEntries: ['/page'] },
  );
  render(<RouterProvider router={router} />);
  await screen.findByText('broken');
  expect(fetch).toHaveBeenCalledTimes(1);
  await act(() => router.navigate('/other'));
  await screen.findByText('other');
  await act(() => router.navigate('/page'));
  await screen.findByText('here it is');
  await act(() => router.navigate('/other'));
  await act(() => router.navigate('/page'));
  await screen.findByText('here it is');
  expect(fetch).toHaveBeenCalledTimes(2);
});
