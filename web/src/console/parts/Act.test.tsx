// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { App } from 'antd';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { Lost, Problem } from '../../api/problem';
import { Act } from './Act';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const FIELDS = [
  { name: 'reason', label: 'Reason', kind: 'area' },
  { name: 'units', label: 'Units', kind: 'number', initial: 5 },
] as const;

type Run = (values: { reason: string; units: number }, once: string) => Promise<unknown>;

function open(run: Run) {
  const page = <Act label="Restock" says="More units." fields={FIELDS} run={run} />;
  const router = createMemoryRouter([
    { path: '/', element: page },
    { path: '/other', element: 'other' },
  ]);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <App>
        <RouterProvider router={router} />
      </App>
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Restock' }));
  return router;
}

const reason = () => screen.findByLabelText<HTMLTextAreaElement>('Reason');
const write = async (text: string) => fireEvent.change(await reason(), { target: { value: text } });
const send = () => fireEvent.click(screen.getAllByRole('button', { name: 'Restock' }).at(-1) as HTMLElement);
const gone = () => waitFor(() => expect(screen.queryByLabelText('Reason')).toBeNull());

it('runs with what its fields say, and under the same id after an answer that was lost', async () => {
  const run = vi.fn<Run>().mockRejectedValueOnce(new Lost('no answer')).mockResolvedValue(undefined);
  open(run);
  await write('  sold well ');
  send();
  await screen.findByRole('alert');
  send();
  await gone();
  expect(run.mock.calls.map(([values]) => values)).toEqual([
    { reason: 'sold well', units: 5 },
    { reason: 'sold well', units: 5 },
  ]);
  expect(run.mock.calls[0]?.[1]).toBe(run.mock.calls[1]?.[1]);
});

it('does nothing while something that is needed is missing', async () => {
  const run = vi.fn<Run>();
  open(run);
  await reason();
  send();
  await screen.findByText('needed');
  expect(run).not.toHaveBeenCalled();
});

it('what the server says of a field stands at the field', async () => {
  const body = {
    title: 'units: too many.',
    status: 400,
    code: 'invalid_field',
    field: 'units',
    request_id: null,
  };
  open(vi.fn<Run>().mockRejectedValue(new Problem({ ...body, code: 'invalid_field' })));
  await write('so');
  send();
  await screen.findByText('Too many.');
});

it('keeps what was written when the dialog is closed, until it was sent', async () => {
  open(vi.fn<Run>().mockResolvedValue(undefined));
  await write('half a sentence');
  fireEvent.click(screen.getByRole('button', { name: 'cancel' }));
  await gone();
  fireEvent.click(screen.getByRole('button', { name: 'Restock' }));
  expect((await reason()).value).toBe('half a sentence');
  send();
  await gone();
  fireEvent.click(screen.getByRole('button', { name: 'Restock' }));
  expect((await reason()).value).toBe('');
});

it('asks before the page is left with something written', async () => {
  const confirm = vi.fn(() => false);
  vi.stubGlobal('confirm', confirm);
  const router = open(vi.fn<Run>());
  await write('half a sentence');
  await act(() => router.navigate('/other'));
  expect(confirm).toHaveBeenCalledTimes(1);
  expect(router.state.location.pathname).toBe('/');
});
