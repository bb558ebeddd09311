// Which address shows which page, but for the first one: that list, and each page on it, is fetched when it is needed.
import type { ComponentType } from 'react';
import { Route, Routes } from 'react-router';
import { addWords, type Shelf } from '../i18n';
import { lazyPage } from '../routing/lazyPage';
import { NeedsSession } from './session';

const moreWords: Shelf = { en: () => import('./words/more.en'), zh: () => import('./words/more.zh') };

const buyWords: Shelf = { en: () => import('./words/buy.en'), zh: () => import('./words/buy.zh') };

const communityWords: Shelf = {
  en: () => import('../community/words/community.en'),
  zh: () => import('../community/words/community.zh'),
};

const taskWords: Shelf = {
  en: () => import('../community/words/tasks.en'),
  zh: () => import('../community/words/tasks.zh'),
};

/** A page that comes with the words that the first one does without. */
function page(load: () => Promise<{ default: ComponentType }>, ...further: Shelf[]) {
  return lazyPage(async () => (await Promise.all([load(), ...[moreWords, ...further].map(addWords)]))[0]);
}

const Play = page(() => import('./pages/Play'));
const Odds = page(() => import('./pages/Odds'));
const Winners = page(() => import('./pages/Winners'));
const Draws = page(() => import('./pages/Draws'));
const Check = page(() => import('./pages/Check'));
const Wins = page(() => import('./pages/Wins'));
const Points = page(() => import('./pages/Points'));
const Grants = page(() => import('./pages/Grants'));
const Go = page(() => import('./pages/Go'));
const Shop = page(() => import('./pages/Shop'));
const Me = page(() => import('./pages/Me'));
const Addresses = page(() => import('./pages/Addresses'));
const Security = page(() => import('./pages/Security'));
const SignIn = page(() => import('./pages/SignIn'));
const Register = page(() => import('./pages/Register'));
const Reset = page(() => import('./pages/Reset'));
const Enter = page(() => import('./pages/Enter'));
const Sale = page(() => import('./pages/Sale'), buyWords);
const Cart = page(() => import('./pages/Cart'), buyWords);
const Orders = page(() => import('./pages/Orders'), buyWords);
const Order = page(() => import('./pages/Order'), buyWords);
const Items = page(() => import('./pages/Items'), buyWords);
const Terms = page(() => import('./pages/SiteText').then(({ Terms }) => ({ default: Terms })));
const Privacy = page(() => import('./pages/SiteText').then(({ Privacy }) => ({ default: Privacy })));
const Feed = page(() => import('../community/pages/Feed'), communityWords);
const Post = page(() => import('../community/pages/Post'), communityWords);
const Write = page(() => import('../community/pages/Write'), communityWords);
const Member = page(() => import('../community/pages/Member'), communityWords);
const Followers = page(() => import('../community/pages/Followers'), communityWords);
const Following = page(() => import('../community/pages/Following'), communityWords);
const Likers = page(() => import('../community/pages/Likers'), communityWords);
const Blocked = page(() => import('../community/pages/Blocked'), communityWords);
const Decisions = page(() => import('../community/pages/Decisions'), communityWords);
const CheckIn = page(() => import('../community/pages/CheckIn'), taskWords);
const Tasks = page(() => import('../community/pages/Tasks'), taskWords);
const Invite = page(() => import('../community/pages/Invite'), taskWords);
const Invited = page(() => import('../community/pages/Invited'), taskWords);
const Search = page(() => import('../community/pages/Search'), communityWords);
const Inbox = page(() => import('../community/pages/Inbox'), communityWords);
const Lost = page(() => import('./pages/Lost'));

export default function Pages() {
  return (
    <Routes>
      <Route path="/sign-in" element={<SignIn />} />
      <Route path="/register" element={<Register />} />
      <Route path="/reset" element={<Reset />} />
      <Route path="/enter" element={<Enter />} />
      <Route path="/activities/:id" element={<Play />} />
      <Route path="/activities/:id/odds" element={<Odds />} />
      <Route path="/activities/:id/winners" element={<Winners />} />
      <Route path="/terms" element={<Terms />} />
      <Route path="/privacy" element={<Privacy />} />
      <Route path="/shop" element={<Shop />} />
      <Route path="/sales/:id" element={<Sale />} />
      <Route path="/cart" element={<Cart />} />
      <Route path="/community/:list?" element={<Feed />} />
      <Route path="/search" element={<Search />} />
      <Route path="/invite/:code" element={<Invited />} />
      <Route path="/posts/:id" element={<Post />} />
      <Route path="/members/:id" element={<Member />} />
      <Route path="/members/:id/followers" element={<Followers />} />
      <Route path="/members/:id/following" element={<Following />} />
      <Route element={<NeedsSession />}>
        <Route path="/activities/:id/draws" element={<Draws />} />
        <Route path="/activities/:id/check/:ticket" element={<Check />} />
        <Route path="/orders/:id" element={<Order />} />
        <Route path="/me" element={<Me />} />
        <Route path="/me/orders" element={<Orders />} />
        <Route path="/me/items" element={<Items />} />
        <Route path="/me/wins" element={<Wins />} />
        <Route path="/me/points" element={<Points />} />
        <Route path="/me/grants" element={<Grants />} />
        <Route path="/go/:tree" element={<Go />} />
        <Route path="/me/addresses" element={<Addresses />} />
        <Route path="/me/security" element={<Security />} />
        <Route path="/me/check-in" element={<CheckIn />} />
        <Route path="/me/invite" element={<Invite />} />
        <Route path="/me/tasks" element={<Tasks />} />
        <Route path="/me/blocked" element={<Blocked />} />
        <Route path="/me/decisions" element={<Decisions />} />
        <Route path="/inbox/*" element={<Inbox />} />
        <Route path="/posts/:id/likes" element={<Likers />} />
        <Route path="/write" element={<Write />} />
        <Route path="/posts/:id/edit" element={<Write />} />
      </Route>
      <Route path="*" element={<Lost />} />
    </Routes>
  );
}
