/** Whom to ask: a page, an address of mail or a phone number is a link, anything else is text. */
export function Contact({ to }: { to: string }) {
  const address = /^https:\/\/\S+$/.test(to)
    ? to
    : /^[^\s@]+@[^\s@]+$/.test(to)
      ? `mailto:${to}`
      : /^\+?[\d\s()-]{5,}$/.test(to)
        ? `tel:${to.replace(/[^+\d]/g, '')}`
        : undefined;
  return address ? <a href={address}>{to}</a> : to;
}
