{{/*
CEL that reads the rules in the annotation of a pod. CEL has no parser of JSON, but it has regular expressions, and the
nesting of these rules is fixed. The steps: check that each token is one that rules have, remove white space, put a comma
before each closing bracket, so that each item ends with one, check the whole with one regular expression, take it apart.
Holdfast itself parses the annotation with AnnotationRulesParser. What CEL reads, that reads in the same way.
*/}}

{{/* The annotation with the rules of a pod. */}}
{{- define "holdfast.rulesAnnotation" -}}
holdfast.dev/required-during-execution
{{- end }}

{{/* RE2: an object of JSON in which each member ends with a comma. Takes an expression for one member. */}}
{{- define "holdfast.regex.object" -}}
\{(?:,|(?:(?:{{ . }}),)+)\}
{{- end }}

{{/* RE2: an array of JSON in which each item ends with a comma. Takes an expression for one item. */}}
{{- define "holdfast.regex.array" -}}
\[(?:,|(?:{{ . }},)+)\]
{{- end }}

{{/* RE2: text with at most this number of brackets in each other. */}}
{{- define "holdfast.regex.nested" -}}
{{- if eq (int .) 0 -}}
[^\]\[}{]*
{{- else -}}
(?:[^\]\[}{]|[\[{]{{ include "holdfast.regex.nested" (sub . 1) }}[\]}])*
{{- end -}}
{{- end }}

{{/* RE2: the whole annotation. */}}
{{- define "holdfast.regex.rules" -}}
{{- $text := `"[-A-Za-z0-9_./]*"` -}}
{{- $texts := include "holdfast.regex.array" $text -}}
{{- $requirements := include "holdfast.regex.array" (include "holdfast.regex.object" (printf `"(?:key|operator)":%s|"values":%s` $text $texts)) -}}
{{- $labels := include "holdfast.regex.object" (printf `%s:%s` $text $text) -}}
{{- $selector := include "holdfast.regex.object" (printf `"matchLabels":%s|"matchExpressions":%s` $labels $requirements) -}}
{{- $podTerm := include "holdfast.regex.object" (printf `"topologyKey":%s|"(?:label|namespace)Selector":%s|"(?:namespaces|matchLabelKeys|mismatchLabelKeys)":%s` $text $selector $texts) -}}
{{- $spread := include "holdfast.regex.object" (printf `"(?:topologyKey|whenUnsatisfiable|nodeAffinityPolicy|nodeTaintsPolicy)":%s|"(?:maxSkew|minDomains)":[1-9][0-9]{0,6}|"labelSelector":%s|"matchLabelKeys":%s` $text $selector $texts) -}}
{{- $nodeTerms := include "holdfast.regex.array" (include "holdfast.regex.object" (printf `"match(?:Expressions|Fields)":%s` $requirements)) -}}
{{- $node := printf `\{"required":\{"nodeSelectorTerms":%s,\},\}` $nodeTerms -}}
{{- $rule := include "holdfast.regex.object" (printf `"name":%s|"nodeAffinity":%s|"pod(?:Anti)?AffinityTerm":%s|"topologySpreadConstraint":%s` $text $node $podTerm $spread) -}}
^{{ include "holdfast.regex.object" (printf `"apiVersion":"holdfast\.dev/v1alpha1"|"replace":(?:true|false)|"rules":%s` (include "holdfast.regex.array" $rule)) }}$
{{- end }}

{{/* CEL: the members of an object, as a map from names to texts; an error if a name comes twice. Takes the object's text, and how many brackets a member has in each other. */}}
{{- define "holdfast.members" -}}
{{ index . 0 }}.substring(1)
.findAll(r'"[^"]*":(?:[^\]\[}{,]+|[\[{]{{ include "holdfast.regex.nested" (sub (index . 1) 1) }}[\]}])')
.transformMapEntry(_, m, {m.substring(1, m.indexOf('":')): m.substring(m.indexOf('":') + 2)})
{{- end }}

{{/* CEL: the text between quotes. Takes a string of JSON. */}}
{{- define "holdfast.unquoted" -}}
{{ . }}.substring(1, size({{ . }}) - 1)
{{- end }}

{{/* CEL: the strings in an array of strings. */}}
{{- define "holdfast.strings" -}}
{{ . }}.findAll(r'"[^"]*"').map(s, {{ include "holdfast.unquoted" "s" }})
{{- end }}

{{/* CEL: the requirements in an array of matchExpressions or matchFields. */}}
{{- define "holdfast.requirements" -}}
{{ . }}.findAll(r'\{[^}]*\}').map(e, [{{ include "holdfast.members" (list "e" 1) }}].map(q, {
  "key": dyn(q.?key.orValue('""').split('"')[1]),
  "operator": dyn(q.?operator.orValue('""').split('"')[1]),
  ?"values": q.?values.orValue("[,]") == "[,]" ? optional.none() : optional.of(dyn({{ include "holdfast.strings" "q.values" }}))
})[0])
{{- end }}

{{/* CEL: a label selector. */}}
{{- define "holdfast.labelSelector" -}}
[{{ include "holdfast.members" (list . 3) }}].map(x, {
  ?"matchLabels": x.?matchLabels.optMap(l, dyn(l.findAll(r'"[^"]*":"[^"]*"').transformMapEntry(_, p, {p.split('"')[1]: p.split('"')[3]}))),
  ?"matchExpressions": x.?matchExpressions.optMap(l, dyn({{ include "holdfast.requirements" "l" }}))
})[0]
{{- end }}

{{/* CEL: the members that terms of pod affinity and spread constraints share. Takes the variable with their texts. */}}
{{- define "holdfast.termMembers" -}}
"topologyKey": dyn({{ . }}.?topologyKey.orValue('""').split('"')[1]),
?"labelSelector": {{ . }}.?labelSelector.optMap(a, dyn({{ include "holdfast.labelSelector" "a" }})),
?"matchLabelKeys": {{ . }}.?matchLabelKeys.optMap(a, dyn({{ include "holdfast.strings" "a" }}))
{{- end }}

{{/* CEL: a term of pod affinity or anti-affinity. */}}
{{- define "holdfast.podTerm" -}}
[{{ include "holdfast.members" (list . 5) }}].map(p, {
  {{ include "holdfast.termMembers" "p" }},
  ?"namespaces": p.?namespaces.optMap(a, dyn({{ include "holdfast.strings" "a" }})),
  ?"namespaceSelector": p.?namespaceSelector.optMap(a, dyn({{ include "holdfast.labelSelector" "a" }})),
  ?"mismatchLabelKeys": p.?mismatchLabelKeys.optMap(a, dyn({{ include "holdfast.strings" "a" }}))
})[0]
{{- end }}

{{/*
CEL: the variables that read an annotation. Takes the path of the metadata. `readRules` has the rules as a policy has
them, `ruleFaults` says what is wrong with them. Both are for a text that `hasForm` is true of.
*/}}
{{- define "holdfast.annotationVariables" -}}
- name: rulesText
  expression: >-
    {{ . }}.?annotations[?"{{ include "holdfast.rulesAnnotation" . }}"].orValue("")
# Escapes are valid, but not read.
- name: isPlain
  expression: >-
    size(variables.rulesText) <= 8192
    && variables.rulesText.matches(r'^(?:[ \t\r\n]+|[{}\[\]:,]|"[-A-Za-z0-9_./]*"|[0-9]+|true|false)*$')
    && !variables.rulesText.matches(r'[a-z0-9][ \t\r\n]+[a-z0-9]')
- name: mayBeRead
  expression: >-
    variables.isPlain || !variables.rulesText.contains(r'\')
- name: compactRules
  expression: >-
    !variables.isPlain ? "" : variables.rulesText.findAll(r'[^ \t\r\n]+').join().replace("]", ",]").replace("}", ",}")
- name: hasForm
  expression: >-
    variables.compactRules.matches(r'{{ include "holdfast.regex.rules" . }}')
- name: rulesDocument
  expression: >-
    {{- include "holdfast.members" (list "variables.compactRules" 9) | nindent 4 }}
- name: ruleTexts
  expression: >-
    variables.rulesDocument.?rules.orValue("").findAll(r'\{ {{- include "holdfast.regex.nested" 7 -}} \}').map(t,
      {{- include "holdfast.members" (list "t" 7) | nindent 6 }})
- name: readRules
  expression: >-
    variables.ruleTexts.map(r, {
      "name": dyn(r.?name.orValue('""').split('"')[1]),
      ?"nodeAffinity": r.?nodeAffinity.optMap(n, dyn({"required": {"nodeSelectorTerms":
        n.substring(n.indexOf("[")).findAll(r'\{ {{- include "holdfast.regex.nested" 3 -}} \}').map(t,
          [{{- include "holdfast.members" (list "t" 3) | nindent 10 }}].map(x, {
            ?"matchExpressions": x.?matchExpressions.optMap(l, dyn({{- include "holdfast.requirements" "l" | nindent 10 }})),
            ?"matchFields": x.?matchFields.optMap(l, dyn({{- include "holdfast.requirements" "l" | nindent 10 }}))
          })[0])}})),
      ?"podAffinityTerm": r.?podAffinityTerm.optMap(t, dyn({{- include "holdfast.podTerm" "t" | nindent 10 }})),
      ?"podAntiAffinityTerm": r.?podAntiAffinityTerm.optMap(t, dyn({{- include "holdfast.podTerm" "t" | nindent 10 }})),
      ?"topologySpreadConstraint": r.?topologySpreadConstraint.optMap(t, dyn([
        {{- include "holdfast.members" (list "t" 5) | nindent 10 }}].map(p, {
          "maxSkew": dyn(int(p.?maxSkew.orValue("0"))),
          "whenUnsatisfiable": dyn(p.?whenUnsatisfiable.orValue('""').split('"')[1]),
          {{- include "holdfast.termMembers" "p" | nindent 10 }},
          ?"minDomains": p.?minDomains.optMap(a, dyn(int(a))),
          ?"nodeAffinityPolicy": p.?nodeAffinityPolicy.optMap(a, dyn({{ include "holdfast.unquoted" "a" }})),
          ?"nodeTaintsPolicy": p.?nodeTaintsPolicy.optMap(a, dyn({{ include "holdfast.unquoted" "a" }}))
        })[0]))
    })
- name: ruleParts
  expression: >-
    variables.readRules.map(r, {
      "rule": dyn("rule '" + r.name + "' "),
      "nodeTerms": dyn(r.?nodeAffinity.?required.?nodeSelectorTerms.orValue([])),
      "near": dyn([r.?podAffinityTerm].filter(t, t.hasValue()).map(t, t.value())),
      "apart": dyn([r.?podAntiAffinityTerm].filter(t, t.hasValue()).map(t, t.value())),
      "spreads": dyn([r.?topologySpreadConstraint].filter(t, t.hasValue()).map(t, t.value())),
      "terms": dyn([r.?podAffinityTerm, r.?podAntiAffinityTerm, r.?topologySpreadConstraint]
        .filter(t, t.hasValue()).map(t, t.value()))
    }).map(p, {
      "rule": p.rule, "nodeTerms": p.nodeTerms, "near": p.near, "apart": p.apart, "spreads": p.spreads, "terms": p.terms,
      "selectors": dyn((p.terms.map(t, t.?labelSelector) + p.terms.map(t, t.?namespaceSelector))
        .filter(s, s.hasValue()).map(s, s.value())),
      "keys": dyn(p.terms.map(t, [t.topologyKey] + t.?matchLabelKeys.orValue([]) + t.?mismatchLabelKeys.orValue([])).flatten()),
      "nodeExpressions": dyn(p.nodeTerms.map(t, t.?matchExpressions.orValue([])).flatten()),
      "nodeFields": dyn(p.nodeTerms.map(t, t.?matchFields.orValue([])).flatten())
    }).map(p, {
      "rule": p.rule, "nodeTerms": p.nodeTerms, "near": p.near, "apart": p.apart, "spreads": p.spreads, "terms": p.terms,
      "selectors": p.selectors, "nodeExpressions": p.nodeExpressions, "nodeFields": p.nodeFields,
      "labelExpressions": dyn(p.selectors.map(s, s.?matchExpressions.orValue([])).flatten()),
      "keys": dyn(p.keys + p.nodeExpressions.map(e, e.key)
        + p.selectors.map(s, s.?matchLabels.orValue({}).map(k, k) + s.?matchExpressions.orValue([]).map(e, e.key)).flatten()),
      "values": dyn(p.nodeExpressions.map(e, e.?values.orValue([])).flatten()
        + p.selectors.map(s, s.?matchLabels.orValue({}).map(k, s.matchLabels[k])
          + s.?matchExpressions.orValue([]).map(e, e.?values.orValue([])).flatten()).flatten())
    })
- name: ruleFaults
  expression: >-
    (has(variables.rulesDocument.apiVersion) ? [] : ["apiVersion must be 'holdfast.dev/v1alpha1'"])
    + (size(variables.ruleTexts) > 0 || has(variables.rulesDocument.rules) && variables.rulesDocument.?replace.orValue("") == "true" ? []
      : ["it must have at least one rule; only with \"replace\": true it may have none"])
    + (size(variables.ruleTexts) <= 20 ? [] : ["it must have at most 20 rules"])
    + variables.readRules.filter(r, !r.name.matches("^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$"))
      .map(r, "the name '" + r.name + "' of a rule must be 1 to 63 lower-case letters, digits or '-'")
    + (variables.readRules.map(r, r.name).distinct().size() == size(variables.readRules) ? []
      : ["each rule must have a name of its own"])
    + (variables.ruleTexts.map(r, r.filter(k, k != "name").map(k, k + r[k]).join()).distinct().size() == size(variables.ruleTexts)
      ? [] : ["two rules are identical"])
    + (variables.ruleTexts.all(r, size(r) == 2 && has(r.name)) ? []
      : ["each rule must have a name and exactly one of nodeAffinity, podAffinityTerm, podAntiAffinityTerm and topologySpreadConstraint"])
    + variables.ruleParts.map(p, ([
        [dyn(p.keys.all(k, !format.qualifiedName().validate(k).hasValue())),
          dyn("has a wrong label key or topologyKey")],
        [dyn(p.values.all(v, !format.labelValue().validate(v).hasValue())),
          dyn("has a wrong label value")],
        [dyn(p.labelExpressions.all(e, e.operator in ["In", "NotIn"] ? has(e.values)
            : e.operator in ["Exists", "DoesNotExist"] && !has(e.values))),
          dyn("has a requirement of labels with a wrong operator, or too few or too many values")],
        [dyn(p.nodeExpressions.all(e, e.operator in ["In", "NotIn"] ? has(e.values)
            : e.operator in ["Gt", "Lt"] ? e.?values.orValue([]).size() == 1 && e.values[0].matches("^[0-9]{1,18}$")
            : e.operator in ["Exists", "DoesNotExist"] && !has(e.values))),
          dyn("has a requirement of nodes with a wrong operator, or too few or too many values")],
        [dyn(p.nodeFields.all(e, e.key == "metadata.name" && e.operator in ["In", "NotIn"] && e.?values.orValue([]).size() == 1
            && !format.dns1123Subdomain().validate(e.values[0]).hasValue())),
          dyn("has matchFields without key metadata.name, operator In or NotIn, and one name of a node")],
        [dyn(size(p.nodeTerms) <= 10 && p.nodeTerms.all(t, t.?matchExpressions.orValue([]).size() <= 10 && t.?matchFields.orValue([]).size() <= 10)
            && (p.nodeExpressions + p.labelExpressions).all(e, e.?values.orValue([]).size() <= 50)
            && p.selectors.all(s, s.?matchLabels.orValue({}).size() <= 20 && s.?matchExpressions.orValue([]).size() <= 10)
            && p.terms.all(t, t.?namespaces.orValue([]).size() <= 50 && t.?matchLabelKeys.orValue([]).size() <= 10
              && t.?mismatchLabelKeys.orValue([]).size() <= 10)),
          dyn("has more terms, requirements, labels, keys or values than the rule of a policy may have")],
        [dyn(size(p.terms) > 0 || size(p.nodeExpressions) + size(p.nodeFields) > 0),
          dyn("must have at least one term with matchExpressions or matchFields")],
        [dyn(p.terms.all(t, t.?namespaces.orValue([]).all(n, !format.dns1123Label().validate(n).hasValue()))),
          dyn("has a wrong name of a namespace")],
        [dyn(p.near.all(t, has(t.labelSelector))),
          dyn("must have a labelSelector, if only {}")],
        [dyn(p.apart.all(t, t.topologyKey == "kubernetes.io/hostname" || !has(t.namespaceSelector)
            || t.namespaceSelector.?matchLabels.orValue({}).size() + t.namespaceSelector.?matchExpressions.orValue([]).size() > 0)),
          dyn("must have topologyKey kubernetes.io/hostname with namespaceSelector {}")],
        [dyn(p.terms.all(t, [t.?matchLabelKeys.orValue([]), t.?mismatchLabelKeys.orValue([])]
            .all(keys, keys.distinct().size() == keys.size()))),
          dyn("has a key twice in matchLabelKeys or mismatchLabelKeys")],
        [dyn(p.terms.all(t, t.?matchLabelKeys.orValue([]).size() + t.?mismatchLabelKeys.orValue([]).size() == 0 || has(t.labelSelector))
            && p.terms.all(t, t.?matchLabelKeys.orValue([]).all(k, !(k in t.?mismatchLabelKeys.orValue([]))
              && !(k in t.?labelSelector.?matchLabels.orValue({}))
              && !t.?labelSelector.?matchExpressions.orValue([]).exists(e, e.key == k)))),
          dyn("has matchLabelKeys or mismatchLabelKeys without labelSelector, or with a key that comes twice")],
        [dyn(p.spreads.all(c, c.maxSkew >= 1 && c.maxSkew <= 1000000 && c.?minDomains.orValue(1) <= 1000000
            && c.whenUnsatisfiable == "DoNotSchedule"
            && c.?nodeAffinityPolicy.orValue("Honor") in ["Honor", "Ignore"] && c.?nodeTaintsPolicy.orValue("Honor") in ["Honor", "Ignore"])),
          dyn("must have maxSkew, whenUnsatisfiable DoNotSchedule, and policies that are Honor or Ignore")]
      ]).filter(check, check[0] == false).map(check, string(p.rule) + string(check[1]))).flatten()
{{- end }}
