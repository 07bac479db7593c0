import { Text, UnstyledButton } from "@mantine/core";
import type { ListedFlowTemplate } from "@parley/sdk";
import { useRead } from "#web/api/queries.ts";
import { LANGUAGE } from "#web/i18n/language.ts";
import { t } from "#web/i18n/t.ts";
import { Loaded } from "#web/ui/load-state.tsx";

const LANGUAGES = new Intl.DisplayNames(LANGUAGE, { type: "language" });

/** Cards of the flows to start from; `choose` receives the name of the one that was clicked. */
export function TemplateGallery({ isDisabled, choose }: { isDisabled: boolean; choose: (name: string) => void }) {
  const read = useRead<ListedFlowTemplate[]>("/flow-templates");
  return (
    <Loaded read={read}>
      {(templates) => (
        <section aria-label={t`Templates`}>
          <Text fz="sm" fw={500} mb={6}>
            {t`Begin with one of ${templates.length} templates`}
          </Text>
          <div className="choices">
            {templates.map((template) => (
              <UnstyledButton
                key={template.name}
                className="choice"
                disabled={isDisabled}
                onClick={() => choose(template.name)}
              >
                <TemplateCard {...template} />
              </UnstyledButton>
            ))}
          </div>
        </section>
      )}
    </Loaded>
  );
}

function TemplateCard({ title, description, language, collects, tools }: ListedFlowTemplate) {
  return (
    <>
      <Text fz="sm" fw={600}>
        {title}
      </Text>
      <Text fz="xs">{description}</Text>
      <Text fz="xs" c="dimmed" mt={6}>
        {t`Collects: ${collects.join(", ")}`}
      </Text>
      <Text fz="xs" c="dimmed">
        {[LANGUAGES.of(language), ...tools.map((name) => t`tool ${name}`)].join(" · ")}
      </Text>
    </>
  );
}
