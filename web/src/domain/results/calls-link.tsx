import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";

/** A figure that leads to its calls; only the figure where there are none to lead to. */
export function CallsLink({ href, children }: { href: string | null; children: ReactNode }) {
  if (href === null) return <>{children}</>;
  return (
    <Anchor component={Link} href={href} fz="sm" underline="always">
      {children}
    </Anchor>
  );
}
