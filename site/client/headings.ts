/** Marks the heading that is being read in the page's contents. */
export function followHeadings(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>(".contents a")].map((link) => [
      decodeURIComponent(link.hash.slice(1)),
      link,
    ]),
  );
  if (links.size === 0) return;
  const observer = new IntersectionObserver(
    (entries) => {
      const entered = entries.find(({ isIntersecting }) => isIntersecting);
      if (!entered) return;
      for (const [id, link] of links) link.classList.toggle("here", id === entered.target.id);
    },
    { rootMargin: "-80px 0px -70% 0px" },
  );
  for (const id of links.keys()) {
    const heading = document.getElementById(id);
    if (heading) observer.observe(heading);
  }
}
