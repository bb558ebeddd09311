import { Component, type ReactNode } from 'react';
import { useText } from '../text';

/** A page that broke says so and offers to start again, instead of leaving a blank screen. */
export class Fence extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? <Broken /> : this.props.children;
  }
}

function Broken() {
  const { t } = useText();
  return (
    <div className="state" role="alert">
      <h2>{t('error.page')}</h2>
      <button type="button" className="button" onClick={() => location.reload()}>
        {t('error.reload')}
      </button>
    </div>
  );
}
