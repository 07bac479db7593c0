import { Stack, Text } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
import { CodeBlock } from "#web/ui/code-block.tsx";
import { AuthFrame } from "./auth-frame.tsx";

/** Page shown until the installation has an owner: it says where to find the set-up link. */
export function SetUpHintPage() {
  return (
    <AuthFrame title={t`Open the set-up link`} lead={t`This installation has no owner yet.`}>
      <Stack>
        <Text fz="sm">
          {t`When it started, the server printed a link that works once and for 30 minutes. Open it to create the owner's account. To get a new link, run this where the server runs:`}
        </Text>
        <CodeBlock text={"npx parley setup-link"} label={t`command`} />
      </Stack>
    </AuthFrame>
  );
}
