import { Text, UnstyledButton } from "@mantine/core";
import { useRead } from "#web/api/queries.ts";
import { Loaded } from "#web/ui/load-state.tsx";

/** A flow to start from, as GET /flow-templates lists it. */
interface ListedTemplate {
  name: string;
  title: string;
  description: string;
  language: string;
  collects: string[];
  tools: string[];
}

const LANGUAGES = new Intl.DisplayNames("en", { type: "language" });

/** Cards of the flows to start from; `choose` receives the name of the one that was clicked. */
export function TemplateGallery({ isDisabled, choose }: { isDisabled: boolean; choose: (name: string) => void }) {
  const read = useRead<ListedTemplate[]>("/flow-templates");
  return (
    <Loaded read={read}>
      {(templates) => (
        <section aria-label="Templates">
          <Text fz="sm" fw={500} mb={6}>
            Begin with one of {templates.length} templates
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

function TemplateCard({ title, description, language, collects, tools }: ListedTemplate) {
  return (
    <>
      <Text fz="sm" fw={600}>
        {title}
      </Text>
      <Text fz="xs">{description}</Text>
      <Text fz="xs" c="dimmed" mt={6}>
        Collects: {collects.join(", ")}
      </Text>
      <Text fz="xs" c="dimmed">
        {[LANGUAGES.of(language), ...tools.map((name) => `tool ${name}`)].join(" · ")}
      </Text>
    </>
  );
}
