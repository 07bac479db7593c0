import { usePhoneGroups } from "./format/phone.ts";
import { Words } from "./words.tsx";

/**
 * A phone number in groups. The gaps are space between boxes and no characters, so a copied number is one that can be
 * dialled and searched for.
 */
export function Phone({ number }: { number: string }) {
  const groups = usePhoneGroups(number);
  if (groups.length === 1) return <Words>{number}</Words>;
  return (
    <bdi className="phone">
      {groups.map((group, index) => (
        <span key={index}>{group}</span>
      ))}
    </bdi>
  );
}
