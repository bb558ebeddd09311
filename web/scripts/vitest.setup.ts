// Tests of components wait for what the page shows, however slow the machine is.
/** Far beyond what anything takes on the busiest machine, so that only a real hang ends a test. */
export const PATIENCE_MS = 300_000;

if (typeof document !== 'undefined') {
  const { configure } = await import('@testing-library/react');
  configure({ asyncUtilTimeout: PATIENCE_MS });
}
