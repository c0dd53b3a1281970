{{- /* What several templates need: whether the operator's resources are installed, and which ports the canary may reach. */ -}}

{{- define "phasewise.operator" -}}
{{- $asked := toString .Values.monitoring.enabled -}}
{{- if or (eq $asked "true") (and (eq $asked "auto") (or .Values.prometheus.create (.Capabilities.APIVersions.Has "monitoring.coreos.com/v1"))) -}}
{{- include "phasewise.letIn" . -}}
true
{{- end -}}
{{- end -}}

{{- /* Prometheus must be told how it gets in, and is told nothing that is of no use. */ -}}
{{- define "phasewise.letIn" -}}
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
