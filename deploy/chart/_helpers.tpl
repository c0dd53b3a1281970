{{- /* What several templates need: names, labels, the image, whether the operator's resources are installed, and which ports the canary may reach. */ -}}

{{- /* What the names of all objects begin with. A Service's name has 63 characters at most: 13 are left for the rest. */ -}}
{{- define "phasewise.fullname" -}}
{{- $name := .Values.nameOverride | default .Chart.Name -}}
{{- $full := contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) -}}
{{- .Values.fullnameOverride | default $full | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "phasewise.serviceAccount" -}}
{{- $own := .Values.canary.serviceAccount.create | ternary (printf "%s-canary" (include "phasewise.fullname" .)) "default" -}}
{{- .Values.canary.serviceAccount.name | default $own -}}
{{- end -}}

{{- define "phasewise.image" -}}
{{- $version := printf ":%s" (.Values.canary.image.tag | default .Chart.AppVersion) -}}
{{- with .Values.canary.image.digest }}{{ $version = printf "@%s" . }}{{ end -}}
{{- .Values.canary.image.registry }}/{{ .Values.canary.image.repository }}{{ $version -}}
{{- end -}}

{{- /* One dictionary of several: the later wins. */ -}}
{{- define "phasewise.merged" -}}
{{- $all := dict -}}
{{- range . -}}
{{- range $key, $value := . }}{{ $_ := set $all $key $value }}{{ end -}}
{{- end -}}
{{- toYaml $all -}}
{{- end -}}

{{- /* Labels of an object: the root, then dictionaries of which the later wins. */ -}}
{{- define "phasewise.labels" -}}
{{- $root := first . -}}
{{- $release := dict "app.kubernetes.io/instance" $root.Release.Name "app.kubernetes.io/managed-by" $root.Release.Service "app.kubernetes.io/version" $root.Chart.AppVersion "helm.sh/chart" (printf "%s-%s" $root.Chart.Name ($root.Chart.Version | replace "+" "_")) -}}
{{- include "phasewise.merged" (concat (list $root.Values.commonLabels) (rest .) (list $release)) -}}
{{- end -}}

{{- /* Where exporters are looked for, and by which labels: not where another release finds them, too. */ -}}
{{- define "phasewise.exporters.namespaces" -}}
{{- $own := dict "matchNames" (list (.Values.strimzi.cluster | empty | ternary .Release.Namespace .Values.strimzi.namespace)) -}}
{{- .Values.monitoring.scrape.exporters.namespaceSelector | default $own | toYaml -}}
{{- end -}}

{{- define "phasewise.exporters.labels" -}}
{{- $root := first . -}}
{{- $cluster := $root.Values.strimzi.cluster | empty | ternary dict (dict "phasewise.io/cluster" $root.Values.strimzi.cluster) -}}
{{- include "phasewise.merged" (list ($root.Values.monitoring.scrape.exporters.matchLabels | default $cluster) (last .)) -}}
{{- end -}}

{{- define "phasewise.operator" -}}
{{- $asked := toString .Values.monitoring.enabled -}}
{{- if or (eq $asked "true") (and (eq $asked "auto") (or .Values.prometheus.create (.Capabilities.APIVersions.Has "monitoring.coreos.com/v1"))) -}}
{{- include "phasewise.letIn" . -}}
true
{{- end -}}
{{- end -}}

{{- /* Prometheus must be told how it gets in, and is told nothing that is of no use. */ -}}
{{- define "phasewise.letIn" -}}
{{- if .Values.monitoring.scrape.canary.enabled -}}
{{- range $key, $needed := dict "tls" "tlsConfig" "basic-auth" "basicAuth" -}}
{{- $given := index $.Values.canary.config.http $key -}}
{{- $has := index $.Values.monitoring.scrape.canary $needed -}}
{{- if and $given (not $has) -}}
{{- fail (printf "canary.config.http.%s is set: monitoring.scrape.canary.%s is needed, so that Prometheus gets in" $key $needed) -}}
{{- else if and $has (not $given) -}}
{{- fail (printf "monitoring.scrape.canary.%s is set: canary.config.http.%s is needed, as the canary does not ask for it otherwise" $needed $key) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* The ports that the configuration names and that are not among those which are open anyway: 9092 to 9098, 7071, 443. What a variable (${...}) holds
       is not known here. */ -}}
{{- define "phasewise.egressPorts" -}}
{{- $traces := dig "traces" "endpoint" "" .Values.canary.config | default "" | toString | regexFind "(?i)^https?://[^/?#]*" -}}
{{- $addresses := list $traces -}}
{{- $ports := .Values.canary.egressPorts -}}
{{- if and (hasPrefix "http:" (lower $traces)) (not (regexMatch "(:[0-9]{1,5}|\\$\\{.*)$" $traces)) }}{{ $ports = append $ports 80 }}{{ end -}}
{{- range .Values.canary.config.clusters -}}
{{- $addresses = concat $addresses (splitList "," (toString (index . "bootstrap-servers"))) -}}
{{- with .exporters -}}
{{- with .port }}{{ $ports = append $ports . }}{{ end -}}
{{- range .addresses }}{{ $addresses = append $addresses (toString .) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- range $addresses -}}
{{- with regexFind ":[0-9]{1,5}$" (trim .) }}{{ $ports = append $ports (trimPrefix ":" .) }}{{ end -}}
{{- end -}}
{{- $more := list -}}
{{- range $ports -}}
{{- $port := int . -}}
{{- if not (or (and (ge $port 9092) (le $port 9098)) (eq $port 7071) (eq $port 443)) }}{{ $more = append $more $port }}{{ end -}}
{{- end -}}
{{- uniq $more | toJson -}}
{{- end -}}
