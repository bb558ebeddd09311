import { Button, Drawer, Input, Layout, Menu, type MenuProps } from 'antd';
import { useEffect, useState } from 'react';
import { Link, Outlet, ScrollRestoration, useLocation, useNavigate } from 'react-router';
import { formatZone } from '../i18n';
import { AttentionBadge } from './parts/Attention';
import { HaltBanner } from './parts/HaltBanner';
import { HOME_ZONE } from './parts/MomentInput';
import { SecondFactorBanner } from './parts/SecondFactorBanner';
import { Switches } from './parts/Switches';
import { type Deed, staffRoles } from './session/roles';
import { Gate, useMay, useMe } from './session/session';
import { signOut } from './session/signOut';
import { useText, type Word } from './text';

interface Entry {
  to: string;
  word: Word;
  needs?: Deed;
}

const GROUPS: { word: Word; entries: Entry[] }[] = [
  {
    word: 'nav.campaigns',
    entries: [
      { to: '/', word: 'nav.dashboard' },
      { to: '/statistics', word: 'nav.statistics' },
      { to: '/activities', word: 'nav.activities' },
      { to: '/trees', word: 'nav.trees' },
      { to: '/grant-rules', word: 'nav.grants' },
      { to: '/orders', word: 'nav.orders' },
      { to: '/shop', word: 'nav.shop' },
      { to: '/shop-orders', word: 'nav.shopOrders' },
      { to: '/approvals', word: 'nav.approvals' },
    ],
  },
  {
    word: 'nav.delivery',
    entries: [
      { to: '/fulfilment', word: 'nav.fulfilment' },
      { to: '/dead-letters', word: 'nav.deadLetters' },
      { to: '/codes', word: 'nav.codes', needs: 'codes' },
      { to: '/inventory', word: 'nav.inventory' },
    ],
  },
  {
    word: 'nav.people',
    entries: [
      { to: '/users', word: 'nav.users' },
      { to: '/reports', word: 'nav.reports', needs: 'moderate' },
      { to: '/held', word: 'nav.held', needs: 'moderate' },
      { to: '/appeals', word: 'nav.appeals', needs: 'moderate' },
      { to: '/words', word: 'nav.words', needs: 'moderate' },
    ],
  },
  {
    word: 'nav.running',
    entries: [
      { to: '/ledger', word: 'nav.ledger' },
      { to: '/jobs', word: 'nav.jobs' },
      { to: '/webhooks', word: 'nav.webhooks', needs: 'webhooks' },
      { to: '/keys', word: 'nav.keys', needs: 'keys' },
      { to: '/audit', word: 'nav.audit', needs: 'audit' },
      { to: '/quarantine', word: 'nav.quarantine' },
      { to: '/settings', word: 'nav.settings' },
    ],
  },
];

export function Frame() {
  return (
    <Gate>
      <Inside />
      <ScrollRestoration />
    </Gate>
  );
}

function Inside() {
  const { t } = useText();
  const { pathname } = useLocation();
  const [open, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is what closes the menu of phones
  useEffect(() => setOpen(false), [pathname]);
  return (
    <Layout className="frame">
      <a className="skip" href="#page">
        {t('nav.skip')}
      </a>
      <Layout.Sider width={216} className="side">
        <Brand />
        <Navigation />
      </Layout.Sider>
      <Layout>
        <header className="top">
          <Button className="burger" onClick={() => setOpen(true)} aria-label={t('nav.menu')}>
            ☰
          </Button>
          <SearchBox />
          <span className="grow" />
          <AttentionBadge />
          <WhoAmI />
        </header>
        <HaltBanner />
        <SecondFactorBanner />
        <main id="page" className="page" tabIndex={-1}>
          <Outlet />
        </main>
      </Layout>
      <Drawer
        open={open}
        onClose={() => setOpen(false)}
        placement="left"
        size={260}
        title={t('console.title')}
      >
        <Navigation />
      </Drawer>
    </Layout>
  );
}

function Brand() {
  return (
    <Link to="/" className="brand">
      <img src="/mark.svg" alt="" width={28} height={28} />
      <strong>Windfall</strong>
    </Link>
  );
}

function Navigation() {
  const { t, language } = useText();
  const may = useMay();
  const { pathname } = useLocation();
  const here = `/${pathname.split('/')[1] ?? ''}`;
  const items: MenuProps['items'] = GROUPS.map((group) => ({
    type: 'group' as const,
    key: group.word,
    label: t(group.word),
    children: group.entries
      .filter((entry) => !entry.needs || may(entry.needs))
      .map((entry) => ({ key: entry.to, label: <Link to={entry.to}>{t(entry.word)}</Link> })),
  }));
  return (
    <nav aria-label={t('nav.label')}>
      <Menu mode="inline" selectedKeys={[here]} items={items} />
      <p className="docs">
        <span>{t('time.zone', { zone: formatZone(HOME_ZONE, language) })}</span>
      </p>
      <p className="docs">
        <a href="/docs" target="_blank" rel="noreferrer">
          {t('nav.docs')}
        </a>
        <a href="/">{t('gate.toPlayers')}</a>
      </p>
    </nav>
  );
}

/** Everything that has an id or a name, from every page. */
function SearchBox() {
  const { t } = useText();
  const go = useNavigate();
  return (
    <search className="search-box">
      <Input.Search
        aria-label={t('search.label')}
        placeholder={t('search.help')}
        maxLength={100}
        onSearch={(text) => {
          if (text.trim() !== '') void go(`/search?q=${encodeURIComponent(text.trim())}`);
        }}
      />
    </search>
  );
}

function WhoAmI() {
  const { t } = useText();
  const me = useMe();
  return (
    <div className="who">
      <Switches />
      <Link to={`/users/${me.id}`} className="me">
        {me.name}
        <span className="soft fine">
          {staffRoles(me.roles)
            .map((role) => t(`role.${role}`))
            .join(' · ')}
        </span>
      </Link>
      <Link to="/account">{t('nav.account')}</Link>
      <Button onClick={() => void signOut()}>{t('gate.leave')}</Button>
    </div>
  );
}
