import type { OptOutLanguage } from "#src/engine/opt-out/language.ts";

const LIGAR =
  "(?:me |nos )?(?:ligar|telefonar|contactar|contatar|chamar|incomodar|perturbar|escrever|importunar|mandar|enviar|encher)(?:em|es)?(?: me| nos)?";
const LIGUE =
  "(?:lig(?:ue|uem|ues|a|am)|telefon(?:e|em|es)|contact(?:e|em)|contat(?:e|em)|incomod(?:e|em)|perturb(?:e|em)|escrev(?:a|am)|mand(?:e|em|a)|envi(?:e|em)|entr(?:e|em) em contacto?|cham(?:e|em))";
const COISAS =
  "(?:ligacoes|ligacao|chamadas?|telefonemas?|mensagens|mensagem|sms|e ?mails?|publicidade|contactos?|contatos?|propaganda)";
const MEU = "(?:o )?(?:meu (?:numero|telefone|nome|contacto|contato)|meus dados|este numero|esse numero)";
const LISTA = "(?:listas?|base de dados|banco de dados|sistema|cadastros?|registros?|registos?|ficheiros?|dados)";
const FIM = "(?= *(?:(?:por favor|obrigad[oa])? *(?:$|[.,!?])|e|ou|nunca|agora))";

/** Portuguese of Europe and of Brazil. */
export const PT: OptOutLanguage = {
  code: "pt",
  cues: "liga lig ligu lige tele cont cham inco pert escr mand envi ench par pare para deix cess nao nunc tir tire remo apag reti elim excl desc cheg bast sem nada revo canc list sair quer fart cans chei isto isso vou quan como advo poli denu asse spam proc lgpd rgpd chat sms mens nem me em ulti esqu acab desa faca",
  plain: [
    `(?:par(?:e|em|a|ar|assem|asse)|deix(?:e|em|ar|assem|asse)|cess(?:e|em))(?: (?:ja|logo|por favor))? (?:de|com) (?:${LIGAR}|ess?as? ${COISAS}|as ${COISAS})`,
    `(?:nao|ja nao|nunca) (?:quero|queremos|desejo|gostaria de)(?: (?:mais|receber|ter|nenhuma|nenhum|as|suas|essas|estas|vossas))* ${COISAS}`,
    "nao (?:quero|desejo|queremos)(?: mais)? (?:ser )(?:mais )?(?:contact\\w+|contat\\w+|incomodad\\w+|perturbad\\w+|chamad\\w+)",
    `nao (?:quero|queremos) (?:mais )?que (?:me |nos |voces |ninguem )*(?:${LIGUE})`,
    "nao quero(?: mais)? (?:saber|ouvir)(?: mais)?(?: nada)? (?:de|falar de) (?:voces|vos|si|vc|vcs|voce)",
    `(?:tir\\w+|remov\\w+|apag\\w+|retir\\w+|elimin\\w+|exclu\\w+)(?: me| nos)? (?:da|do|dos|das)(?: \\w+){0,2} ${LISTA}(?! de (?:espera|segunda))`,
    `(?:tir\\w+|remov\\w+|apag\\w+|retir\\w+|elimin\\w+|exclu\\w+|descadastr\\w+) (?:os |o )?${MEU}`,
    "(?:deix\\w+)(?: me| nos)? em paz|me deix\\w+ em paz",
    `(?:chega|basta|sem|nada)(?: de)?(?: (?:mais|tantas|receber))? ${COISAS}`,
    "(?:retiro|revogo|cancelo)(?: o)?(?: meu)? consentimento",
    "nao me perturbe|lista de nao (?:ligar|perturbe)",
    "(?:quero|gostaria de) (?:sair d[ao]s? (?:vossa |sua )?(?:lista|cadastro)|cancelar a (?:inscricao|subscricao)|me descadastrar|descadastrar)",
    "descadastr(?:e|a|em|ar) (?:me|o|meu)",
    "nao (?:podem|tem (?:o )?direito de|tem permissao para) (?:me )?(?:ligar|contactar|contatar)",
    `(?:para|de) nao (?:me )?lig(?:ar|arem)(?: (?:para )?(?:mim|ca))? (?:mais|nunca mais)`,
  ],
  forbidding: [
    `nao (?:(?:me|nos) )?${LIGUE}(?: (?:me|nos|pra mim|para mim|para ca|para este numero|aqui|comigo))*(?: (?:mais|nunca mais|de novo|outra vez|novamente))+(?: comigo)?`,
    `nao (?:me|nos) ${LIGUE}${FIM}`,
    `nao (?:(?:me|nos) )?(?:mand\\w+|envi\\w+)(?: me)? mais ${COISAS}`,
    `nunca mais (?:me |nos )?${LIGUE}`,
    `nao (?:me )?lig(?:ue|uem) nunca mais`,
    `nao volt(?:e|em) a ${LIGAR}`,
    "nao entr(?:e|em)(?: mais)? em contac?to(?: mais)?(?: (?:comigo|connosco|conosco))?(?: mais)?",
  ],
  innocent: [
    "nao par(?:e|em|es)(?: de \\w+)?",
    "(?:minha|meu|a|o|ela|ele)(?: \\w+){0,2} (?:disse|pediu|falou)(?: (?:a|ao|para o|para a)(?: \\w+)?)?[^.!?]*",
    "por que[^.!?]*|porque nao me[^.!?]*",
    "lista de (?:espera|compras)|eu nao ligo[^.,!?]*|nao ligo para[^.!?]*",
    "nao se esquec\\w+[^.!?]*",
    "(?:nao recebi|recebi)[^.!?]*",
    "nao quero (?:perder|incomodar)[^.!?]*",
  ],
  keeps: [
    "nao (?:quero|queria|desejo|disse) que (?:me )?(?:par|deix|cess|remov|tir|apagu|elimin)\\w+(?: de)?(?: me)?(?: \\w+){0,2}",
    "(?<=^|[.,!?] |nao )nao (?:par|deix)em?(?: de)?(?: me)?(?: \\w+){0,2}",
  ],
  limits:
    "antes|depois|ate|hoje|amanha|esta (?:semana|tarde|noite|manha)|de (?:manha|tarde|noite|madrugada)|a (?:noite|tarde)|no (?:fixo|trabalho|celular|telemovel|domingo|sabado|meio)|na (?:segunda|terca|quarta|quinta|sexta)|(?:aos|nos) (?:domingos|sabados|fins)|durante|enquanto|entre|se|quando|tao (?:tarde|cedo)|as \\w+|para o fixo|sobre",
  instead:
    "(?:me ligue|ligue|ligue me|liga|ligam) (?:no|para o|amanha|depois|mais tarde)|melhor (?:no|amanha|por)|voces me ligam|eu ligo|so por|me escreva|mas sim",
  bare: "stop|pare|parem|para|sair|basta|chega|cancelar|remover|pare com isso|nao lig(?:ue|uem|ar)|nao me lig(?:ue|uem|a)",
  polite: "por favor|sim|ok|ja|agora|obrigado|obrigada|favor|pf",
  keywords: "sair remover parar",
  yes: "ja (?:lhe )?disse|sim|claro|por favor|isso|exato|exatamente|correto|certo|pode|com certeza|isso mesmo|quero|obrigado sim",
  no: "nao|de jeito nenhum|continue|continuem|nem|nunca|tudo bem",
  phrases: {
    ask: "Só para ter a certeza: quer que deixemos de lhe ligar e de lhe escrever?",
    done: "O seu número está agora na nossa lista de não contactar. Adeus.",
    noted: "Vou transmitir que não quer receber mais chamadas. Adeus.",
  },
};
