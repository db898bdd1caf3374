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
Metadata that all objects share. Call it with a dict: context, and annotations for this object alone.
*/}}
{{- define "holdfast.metadata" -}}
labels:
  {{- include "holdfast.labels" .context | nindent 2 }}
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
{{- toYaml (mergeOverwrite (deepCopy .Values.config) (dict "protectedNamespaces" $protected "ownNamespace" (include "holdfast.namespace" .)) $added) }}
{{- end }}

{{- define "holdfast.image" -}}
{{- with .Values.image.registry }}{{ . }}/{{ end }}{{ .Values.image.repository }}
{{- if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ default .Chart.AppVersion .Values.image.tag }}{{ end }}
{{- end }}
