// What every page stands in: the bar on top, the way around (at the bottom on phones), and what is said to everybody.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { switchLanguage } from '../../i18n';
import { useCart } from '../buy/useCart';
import { waitingWinsRead } from '../reads';
import { signInPath, useSession } from '../session';
import { useText } from '../text';
import { CartIcon, CoinIcon, GiftIcon, HomeIcon, Mark, PersonIcon, TalkIcon } from './art';
import { useOnline } from './useOnline';
import { useScroll } from './useScroll';

export function Shell({ children }: { children: ReactNode }) {
  const { t, language } = useText();
  const { me, ended } = useSession();
  const { pathname } = useLocation();
  const online = useOnline();
  const lines = useCart().length;
  const waiting = useQuery(waitingWinsRead(me !== undefined)).data ?? 0;
  useScroll();
  const main = useRef<HTMLElement>(null);
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    // As on a page that was loaded anew, the keyboard begins at the top.
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <>
      <a className="skip" href="#main">
        {t('nav.skip')}
      </a>
      <header className="top">
        <Link to="/" className="brand">
          <Mark />
          <span>Windfall</span>
        </Link>
        <nav className="ways" aria-label={t('nav.label')}>
          <Way to="/" end icon={<HomeIcon />} label={t('nav.home')} />
          <Way to="/community" icon={<TalkIcon />} label={t('nav.community')} />
          <Way
            to="/me/wins"
            icon={<GiftIcon />}
            label={t('nav.wins')}
            badge={waiting > 0 ? { count: waiting, says: t('nav.waiting', { count: waiting }) } : undefined}
          />
          <Way to="/me/points" icon={<CoinIcon />} label={t('nav.points')} />
          <Way
            to="/me"
            end={/^\/me\/(wins|points)/.test(pathname)}
            icon={<PersonIcon />}
            label={t('nav.me')}
          />
        </nav>
        <div className="top-end">
          {lines > 0 && (
            <Link to="/cart" className="icon-button cart-link" aria-label={t('nav.cart', { count: lines })}>
              <CartIcon />
              <i aria-hidden="true">{lines}</i>
            </Link>
          )}
          <button
            type="button"
            className="plain"
            lang={language === 'zh' ? 'en' : 'zh-CN'}
            aria-label={`${t('language.other')}, ${t('language.switch')}`}
            onClick={() => void switchLanguage(language === 'zh' ? 'en' : 'zh')}
          >
            {t('language.other')}
          </button>
          {!me && !pathname.startsWith('/sign-in') && (
            <Link to={signInPath(pathname)} className="button small">
              {t('nav.signIn')}
            </Link>
          )}
        </div>
      </header>
      <div className="notices" role="status" aria-live="polite">
        {!online && <p className="notice">{t('offline')}</p>}
        {ended && !me && <p className="notice">{t('signedOut')}</p>}
      </div>
      <main id="main" tabIndex={-1} ref={main}>
        {children}
      </main>
      <footer className="foot">
        <span>{t('foot.promise')}</span>
        <span className="foot-ways">
          <Link to="/terms">{t('foot.terms')}</Link> · <Link to="/privacy">{t('foot.privacy')}</Link>
        </span>
      </footer>
    </>
  );
}

interface WayProps {
  to: string;
  end?: boolean;
  icon: ReactNode;
  label: string;
  badge?: { count: number; says: string } | undefined;
}

function Way({ to, end, icon, label, badge }: WayProps) {
  return (
    <NavLink to={to} end={end ?? false}>
      {icon}
      <span>{label}</span>
      {badge && (
        <i className="way-badge">
          <span aria-hidden="true">{badge.count > 99 ? '99+' : badge.count}</span>
          <span className="unseen">{badge.says}</span>
        </i>
      )}
    </NavLink>
  );
}
