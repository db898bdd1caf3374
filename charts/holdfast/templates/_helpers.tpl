{{/* Name of the chart, at most 63 characters. */}}
{{- define "holdfast.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* Name of the objects: the release's name, followed by the chart's unless it contains that already. */}}
{{- define "holdfast.fullname" -}}
{{- $name := include "holdfast.name" . }}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride }}
{{- else if contains $name .Release.Name }}
{{- .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "holdfast.namespace" -}}
{{- default .Release.Namespace .Values.namespaceOverride }}
{{- end }}

{{- define "holdfast.serviceAccountName" -}}
{{- default (ternary (include "holdfast.fullname" .) "default" .Values.serviceAccount.create) .Values.serviceAccount.name }}
{{- end }}

{{- define "holdfast.selectorLabels" -}}
app.kubernetes.io/name: {{ include "holdfast.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "holdfast.labels" -}}
{{ include "holdfast.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/*
Metadata that all objects share. Call it with a dict: context, and annotations for this object alone. With component,
commands find the object by its label, whatever the release and the chart are called.
*/}}
{{- define "holdfast.metadata" -}}
labels:
  {{- include "holdfast.labels" .context | nindent 2 }}
  {{- with .component }}
  holdfast.dev/component: {{ . }}
  {{- end }}
{{- with mergeOverwrite (dict) .context.Values.commonAnnotations (default dict .annotations) }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Where the Secret with the certificate of metrics is mounted. */}}
{{- define "holdfast.certificateFolder" -}}
/etc/holdfast-certificate
{{- end }}

{{/*
The operator's configuration file: the values under config, the operator's namespace, which is also protected, and the
folder with the certificate of metrics, if there is one.
*/}}
{{- define "holdfast.config" -}}
{{- $lease := .Values.config.lease }}
{{- if ge (int $lease.renewDeadlineSeconds) (int $lease.durationSeconds) }}
{{- fail (printf "config.lease.renewDeadlineSeconds must be less than durationSeconds: got %d and %d" (int $lease.renewDeadlineSeconds) (int $lease.durationSeconds)) }}
{{- end }}
{{- if ge (int $lease.retryPeriodSeconds) (int $lease.renewDeadlineSeconds) }}
{{- fail (printf "config.lease.retryPeriodSeconds must be less than renewDeadlineSeconds: got %d and %d" (int $lease.retryPeriodSeconds) (int $lease.renewDeadlineSeconds)) }}
{{- end }}
{{- if ge (int .Values.config.replacementMinReadySeconds) (int .Values.config.replacementTimeoutSeconds) }}
{{- fail (printf "config.replacementMinReadySeconds must be less than replacementTimeoutSeconds: got %d and %d" (int .Values.config.replacementMinReadySeconds) (int .Values.config.replacementTimeoutSeconds)) }}
{{- end }}
{{- $added := dict }}
{{- if .Values.metricsCertificate.secretName }}
{{- if not .Values.config.metrics.secure }}
{{- fail "metricsCertificate.secretName needs config.metrics.secure: true" }}
{{- end }}
{{- $added = dict "metrics" (dict "certificateFolder" (include "holdfast.certificateFolder" .)) }}
{{- end }}
{{- $protected := append .Values.config.protectedNamespaces (include "holdfast.namespace" .) | uniq }}
{{- toYaml (mergeOverwrite (deepCopy .Values.config) (dict "protectedNamespaces" $protected "ownNamespace" (include "holdfast.namespace" .) "scheduling" (dict "enabled" (eq (include "holdfast.injects" .) "true"))) $added) }}
{{- end }}

{{/* The namespaces whose pods admission policies leave alone: the exempt and the protected ones, and the operator's own. */}}
{{- define "holdfast.untouchedNamespaces" -}}
{{- append (concat .Values.config.exemptNamespaces .Values.config.protectedNamespaces) (include "holdfast.namespace" .) | uniq | toYaml }}
{{- end }}

{{- define "holdfast.image" -}}
{{- with .Values.image.registry }}{{ . }}/{{ end }}{{ .Values.image.repository }}
{{- if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ default .Chart.AppVersion .Values.image.tag }}{{ end }}
{{- end }}

{{/* Not empty if policies can inject their rules: MutatingAdmissionPolicy is in v1 since Kubernetes 1.36. */}}
{{- define "holdfast.injects" -}}
{{- if and .Values.scheduling.enabled (semverCompare ">=1.36.0-0" .Capabilities.KubeVersion.Version) }}true{{ end }}
{{- end }}

{{/* CEL: whether a label selector matches; an absent one matches all. Takes the paths selector and labels (optional). */}}
{{- define "holdfast.selects" -}}
!has({{ .selector }})
|| {{ .selector }}.?matchLabels.orValue({}).all(k, {{ .labels }}[?k] == optional.of({{ .selector }}.matchLabels[k]))
&& {{ .selector }}.?matchExpressions.orValue([]).all(e,
  e.operator == "Exists" ? {{ .labels }}[?e.key].hasValue()
  : e.operator == "DoesNotExist" ? !{{ .labels }}[?e.key].hasValue()
  : (e.operator == "In") == ({{ .labels }}[?e.key].hasValue() && {{ .labels }}[?e.key].value() in e.values))
{{- end }}

{{/* CEL: a requirement of a pod as a new value, since JSONPatch takes no values of a pod. Takes its path. */}}
{{- define "holdfast.requirement" -}}
has({{ . }}.values) ? {"key": dyn({{ . }}.key), "operator": dyn({{ . }}.operator), "values": dyn({{ . }}.values.map(v, v))} : {"key": dyn({{ . }}.key), "operator": dyn({{ . }}.operator)}
{{- end }}

{{/* CEL: the terms of a node rule that match any node, as new values. Takes the path of the rule. */}}
{{- define "holdfast.alternatives" -}}
{{ . }}.nodeAffinity.required.nodeSelectorTerms.map(t, {
  "matchExpressions": t.?matchExpressions.orValue([]).map(e,
    size(e.?values.orValue([])) > 0 ? e : dyn({"key": dyn(e.key), "operator": dyn(e.operator)})),
  "matchFields": t.?matchFields.orValue([]).map(f, f)
}).filter(t, size(t.matchExpressions) + size(t.matchFields) > 0)
{{- end }}

{{/* CEL: how many requirements and values node selector terms have. Takes the path of the terms. */}}
{{- define "holdfast.nodeValues" -}}
{{ . }}.map(t, (t.?matchExpressions.orValue([]) + t.?matchFields.orValue([])).map(e, 1 + size(e.?values.orValue([]))).sum()).sum()
{{- end }}

{{/* CEL: the numbers of expressions and fields of terms, `2.0+1.1`. Takes the path of the terms. */}}
{{- define "holdfast.shape" -}}
{{ . }}.map(t, string(size(t.matchExpressions)) + "." + string(size(t.matchFields))).join("+")
{{- end }}

{{/* CEL: whether two pod affinity terms are equal. Takes a list of two paths. */}}
{{- define "holdfast.sameTerm" -}}
{{- $one := index . 0 }}
{{- $other := index . 1 }}
{{- $one }}.topologyKey == {{ $other }}.topologyKey
{{- range list "namespaces" "matchLabelKeys" "mismatchLabelKeys" }}
&& {{ $one }}.?{{ . }}.orValue([]) == {{ $other }}.?{{ . }}.orValue([])
{{- end }}
{{- range list "labelSelector" "namespaceSelector" }}
&& has({{ $one }}.{{ . }}) == has({{ $other }}.{{ . }})
&& {{ $one }}.?{{ . }}.?matchLabels.orValue({}) == {{ $other }}.?{{ . }}.?matchLabels.orValue({})
&& {{ $one }}.?{{ . }}.?matchExpressions.orValue([]).map(e, [dyn(e.key), dyn(e.operator), dyn(e.?values.orValue([]))])
  == {{ $other }}.?{{ . }}.?matchExpressions.orValue([]).map(e, [dyn(e.key), dyn(e.operator), dyn(e.?values.orValue([]))])
{{- end }}
{{- end }}
