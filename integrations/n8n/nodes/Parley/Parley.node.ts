import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from "n8n-workflow";
import { OPERATIONS } from "./operations";
import { PROPERTIES } from "./properties";

/** Node that places calls, runs jobs and chats. */
export class Parley implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Parley",
    name: "parley",
    icon: "file:../../icons/parley.svg",
    group: ["transform"],
    version: 1,
    subtitle: '={{$parameter["operation"]}}',
    description: "Place calls, run call jobs and chat",
    defaults: { name: "Parley" },
    inputs: ["main"],
    outputs: ["main"],
    usableAsTool: true,
    credentials: [{ name: "parleyApi", required: true }],
    properties: PROPERTIES,
  };

  /** Does the operation for each item. With "continue on fail", a failure becomes the item's output. */
  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const output: INodeExecutionData[] = [];
    for (let item = 0; item < this.getInputData().length; item++) {
      try {
        const operation = OPERATIONS[String(this.getNodeParameter("operation", item))];
        if (!operation) throw new Error("There is no such operation.");
        const made = await operation(this, item);
        for (const json of [made].flat()) output.push({ json, pairedItem: { item } } as INodeExecutionData);
      } catch (error) {
        if (!this.continueOnFail()) throw error;
        output.push({ json: { error: (error as Error).message }, pairedItem: { item } });
      }
    }
    return [output];
  }
}
