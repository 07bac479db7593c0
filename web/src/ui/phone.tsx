import { isPhone, usePhoneGroups } from "./format/phone.ts";
import { Words } from "./words.tsx";

/**
 * A phone number in groups, and any other text as it is. The gaps are space between boxes and no characters, so a copied
 * number is one that can be dialled and searched for.
 */
export function Phone({ number }: { number: string }) {
  return isPhone(number) ? <Groups number={number} /> : <Words>{number}</Words>;
}

function Groups({ number }: { number: string }) {
  const groups = usePhoneGroups()(number);
  return (
    <bdi className="phone">
      {groups.map((group, index) => (
        <span key={index}>{group}</span>
      ))}
    </bdi>
  );
}
