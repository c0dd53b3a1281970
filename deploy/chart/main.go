// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

// Makes the Helm chart of the Kustomize bases, so that there is one copy of every manifest. Values reach the objects by holes, which this file names;
// everything else is what `kubectl kustomize` renders. Thresholds of the rules: thresholds.go. The table of all values: values.go.
package main

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// object is one manifest, to put holes into.
type object map[string]any

func (o object) at(keys ...any) any {
	var here any = map[string]any(o)
	for _, key := range keys {
		switch k := key.(type) {
		case string:
			here = here.(map[string]any)[k]
		case int:
			here = here.([]any)[k]
		}
	}
	return here
}

func (o object) is(kind, name string) bool {
	return o["kind"] == kind && strings.HasPrefix(o.at("metadata", "name").(string), name)
}

// set puts a value where the keys lead.
func (o object) set(value any, keys ...any) {
	last := keys[len(keys)-1]
	switch parent := o.at(keys[:len(keys)-1]...).(type) {
	case map[string]any:
		parent[last.(string)] = value
	case []any:
		parent[last.(int)] = value
	default:
		panic(fmt.Sprintf("%v not found in %v", keys, o.at("metadata", "name")))
	}
}

// A hole stands for a template until the object is text, as a word that nothing in YAML quotes or folds, and that as a key comes last.

// holes are their templates, by number: YAML breaks up what is long.
var holes []string

func as(kind, template string) string {
	holes = append(holes, template)
	return fmt.Sprintf("zz~~%s%d~~", kind, len(holes)-1)
}

// hole is an expression in the place of a value.
func hole(expression string) string { return as("h", expression) }

// block is an expression whose value takes lines of its own, below its key.
func block(expression string) string { return as("b", expression) }

// lines are lines of a template in the place of an item of a list, or of a key; $indent is how far it is to the right, $width the same as a number.
func lines(template string) string { return as("l", template) }

var (
	someBlock = regexp.MustCompile(`(?m)^( *)(- )?(.*)zz~~b([0-9]+)~~$`)
	someLines = regexp.MustCompile(`(?m)^( *)(?:- )?zz~~l([0-9]+)~~(?:: .*)?$`)
	someHole  = regexp.MustCompile(`zz~~h([0-9]+)~~`)
)

// text is the template of an object. What it has of Helm's own brackets, as alerts have, is kept from Helm.
func text(o object) (string, error) {
	encoded, err := yaml.Marshal(o)
	if err != nil {
		return "", err
	}
	escaped := strings.ReplaceAll(string(encoded), "{{", `{{ "{{" }}`)
	escaped = someSign.ReplaceAllStringFunc(escaped, func(sign string) string {
		return fmt.Sprintf("{{ .Values.monitoring.rules.thresholds.%s | toJson }}", thresholdOf(sign))
	})
	fill := func(hole *regexp.Regexp, with func(part []string) string) {
		escaped = hole.ReplaceAllStringFunc(escaped, func(found string) string {
			part := hole.FindStringSubmatch(found)
			number, _ := strconv.Atoi(part[len(part)-1])
			part[len(part)-1] = holes[number]
			return with(part)
		})
	}
	fill(someBlock, func(part []string) string {
		return fmt.Sprintf("%s%s%s{{- %s | nindent %d }}", part[1], part[2], part[3], part[4], len(part[1])+len(part[2])+2)
	})
	fill(someLines, func(part []string) string {
		return strings.NewReplacer("$indent", part[1], "$width", strconv.Itoa(len(part[1]))).Replace(part[2])
	})
	fill(someHole, func(part []string) string { return "{{ " + part[1] + " }}" })
	return escaped, nil
}

const (
	namespace = ".Release.Namespace | quote"
	release   = ".Release.Name | quote"
	// port is where the canary listens.
	port = ".Values.canary.config.http.port"
)

// given is a key that is there only where the value is: the structure that Kubernetes knows under that key, as it stands.
func given(key, value string) string {
	return lines(fmt.Sprintf("{{- with %s }}{{ dict %q . | toYaml | nindent $width }}{{- end }}", value, key))
}

// items are those of a list in the values, behind those of the list they are an item of.
func items(value string) string {
	return lines(fmt.Sprintf("{{- with %s }}{{ toYaml . | nindent $width }}{{- end }}", value))
}

// named is a name in the chart: the release's takes the place of what all names begin with. Prometheus and Alertmanager keep theirs, because the volumes of
// Prometheus are named after it.
func named(name string) string {
	full := hole(`include "phasewise.fullname" .`)
	switch {
	case name == "kafka":
		return name
	case strings.HasPrefix(name, "kafka-"):
		return full + strings.TrimPrefix(name, "kafka")
	case strings.HasPrefix(name, "phasewise-"):
		return full + strings.TrimPrefix(name, "phasewise")
	}
	return full + "-" + name
}

// nameOf is the object's name in the chart.
func nameOf(o object) string {
	name := o.at("metadata", "name").(string)
	switch {
	case ofStrimzi(o):
		return strings.Replace(name, exampleCluster, hole(strimziCluster), 1)
	case o.is("ConfigMap", "kafka-canary"):
		return named("kafka-canary") // without the hash of its content, which kustomize adds
	case o["kind"] == "ServiceAccount" && ofCanary(o):
		return hole(`include "phasewise.serviceAccount" . | quote`)
	case ofCluster(o):
		return clusterRole()
	}
	return named(name)
}

// ofCluster is in no namespace. Its name holds that of the release's namespace: the other one may have a release of the same name.
func ofCluster(o object) bool { return o["kind"] == "ClusterRole" || o["kind"] == "ClusterRoleBinding" }

func clusterRole() string { return named("prometheus") + "-" + hole(".Release.Namespace") }

// labelled are the object's own labels with those that every object of a release has, and those of these values. Its own win: selectors and jobs need them.
func labelled(o object, values ...string) {
	labels, _ := o.at("metadata").(map[string]any)["labels"].(map[string]any)
	o.set(block(fmt.Sprintf("include \"phasewise.labels\" (list . %s)", strings.Join(append(values, dict(labels)), " "))), "metadata", "labels")
}

// dict is a dictionary in Helm's words.
func dict(labels map[string]any) string {
	var words []string
	for key := range labels {
		words = append(words, fmt.Sprintf("%q %q", key, labels[key]))
	}
	sort.Strings(words)
	return "(dict " + strings.Join(words, " ") + ")"
}

func canary(o object) {
	byRelease := func(keys ...any) { o.set(hole(release), append(keys, "app.kubernetes.io/instance")...) }
	switch o["kind"] {
	case "ConfigMap":
		o.set(map[string]any{lines(`$indentcanary.yml: |{{ toYaml (dict "canary" .Values.canary.config) | nindent 4 }}`): ""}, "data")
	case "ServiceAccount":
		o.set("", "metadata", given("annotations", ".Values.canary.serviceAccount.annotations"))
	case "Deployment":
		deployment(o)
		byRelease("spec", "selector", "matchLabels")
	case "Service":
		labelled(o, ".Values.canary.service.labels")
		o.set("", "metadata", given("annotations", ".Values.canary.service.annotations"))
		o.set(hole(port), "spec", "ports", 0, "port")
		byRelease("spec", "selector")
	case "PodDisruptionBudget":
		o.set(hole(".Values.canary.podDisruptionBudget.maxUnavailable | toJson"), "spec", "maxUnavailable")
		byRelease("spec", "selector", "matchLabels")
	case "NetworkPolicy":
		byRelease("spec", "podSelector", "matchLabels")
		o.set(append(o.at("spec", "ingress", 0, "from").([]any), map[string]any{"podSelector": map[string]any{"matchLabels": map[string]any{
			"app.kubernetes.io/name": "kafka-canary-test", "app.kubernetes.io/instance": hole(release)}}}), "spec", "ingress", 0, "from")
		o.set(append(o.at("spec", "ingress").([]any), items(".Values.canary.networkPolicy.ingress")), "spec", "ingress")
		o.set(append(o.at("spec", "egress").([]any),
			lines(`{{- range (include "phasewise.egressPorts" . | fromJsonArray) }}`+"\n$indent- ports: [ { protocol: TCP, port: {{ . }} } ]\n{{- end }}"),
			items(".Values.canary.networkPolicy.egress")), "spec", "egress")
	}
}

// deployment lets values reach the pod: a field of Kubernetes is a value of the same name, with what Kubernetes allows there.
func deployment(o object) {
	labelled(o, ".Values.canary.labels")
	o.set("", "metadata", given("annotations", ".Values.canary.annotations"))
	o.set(hole(".Values.canary.replicas"), "spec", "replicas")
	strategy := dictOf(o.at("spec", "strategy"))
	o.set(block(fmt.Sprintf("toYaml (.Values.canary.strategy | default (%s | fromJson))", strategy)), "spec", "strategy")

	metadata := o.at("spec", "template", "metadata").(map[string]any)
	metadata["labels"] = block(fmt.Sprintf(`include "phasewise.merged" (list .Values.commonLabels .Values.canary.podLabels %s (dict "app.kubernetes.io/instance" .Release.Name))`,
		dict(metadata["labels"].(map[string]any))))
	// Changes of the configuration roll the pods: here by this, in Kustomize by the name of the ConfigMap.
	metadata["annotations"] = block(`include "phasewise.merged" (list .Values.canary.podAnnotations (dict "checksum/config" (toYaml .Values.canary.config | sha256sum)))`)

	pod := object(o.at("spec", "template", "spec").(map[string]any))
	pod.set(hole(`include "phasewise.serviceAccount" . | quote`), "serviceAccountName")
	pod.set(block("toYaml .Values.canary.podSecurityContext"), "securityContext")
	pod.set("", lines(`{{- range $field := list "affinity" "dnsConfig" "dnsPolicy" "hostAliases" "imagePullSecrets" "initContainers" "nodeSelector" "priorityClassName" "runtimeClassName" "tolerations" "topologySpreadConstraints" }}
{{- with get $.Values.canary $field }}{{ dict $field . | toYaml | nindent $width }}{{- end }}
{{- end }}`))

	container := object(pod.at("containers", 0).(map[string]any))
	container.set(hole(`include "phasewise.image" . | quote`), "image")
	container.set(block("toYaml .Values.canary.resources"), "resources")
	container.set(block("toYaml .Values.canary.securityContext"), "securityContext")
	container.set(hole(port), "ports", 0, "containerPort")
	container.set("", given("imagePullPolicy", ".Values.canary.image.pullPolicy"))
	container.set("", given("env", ".Values.canary.env"))
	container.set("", given("envFrom", ".Values.canary.envFrom"))
	// As the image starts it, but for the class path, which -jar would take from nowhere else.
	container.set("", lines(`{{- with .Values.canary.classPath }}
$indentcommand: [ java, -XX:+ExitOnOutOfMemoryError, -Dphasewise.canary.config=/etc/phasewise/canary.yml, -Dphasewise.canary.host=0.0.0.0, -cp, {{ prepend . "/opt/phasewise/canary.jar" | join ":" | quote }}, io.phasewise.canary.Main ]
{{- end }}`))
	for _, probe := range []string{"startupProbe", "livenessProbe", "readinessProbe"} {
		delete(container.at(probe).(map[string]any), "httpGet")
		container.set("", probe, lines(asked))
	}
	for _, volume := range pod.at("volumes").([]any) {
		if v := volume.(map[string]any); v["configMap"] != nil {
			v["configMap"] = map[string]any{"name": named("kafka-canary")}
		}
	}
	// A volume for each path, named by its number: a Secret's name may be too long for a volume's, or hold dots, or be that of another volume.
	const eachSecret = "{{- range $number, $path := keys .Values.canary.secretFiles | sortAlpha }}\n$indent- name: secret-{{ $number }}\n$indent  "
	container.set(append(container.at("volumeMounts").([]any), lines(eachSecret+"mountPath: {{ $path | quote }}\n$indent  readOnly: true\n{{- end }}"),
		items(".Values.canary.extraVolumeMounts")), "volumeMounts")
	pod.set(append(pod.at("volumes").([]any), lines(eachSecret+"secret: { secretName: {{ get $.Values.canary.secretFiles $path | quote }} }\n{{- end }}"),
		items(".Values.canary.extraVolumes")), "volumes")
	pod.set(append(pod.at("containers").([]any), items(".Values.canary.extraContainers")), "containers")
}

// dictOf is any structure, as a text in Helm's words: fromJson reads it.
func dictOf(value any) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return "`" + string(encoded) + "`"
}

// asked is how Kubernetes asks whether the canary is healthy. Where only clients with a certificate are let in it cannot ask.
const asked = `{{- $tls := .Values.canary.config.http.tls | default dict }}
{{- if index $tls "client-ca" }}
$indenttcpSocket: { port: metrics }
{{- else }}
$indenthttpGet: { path: /-/healthy, port: metrics{{ if $tls }}, scheme: HTTPS{{ end }} }
{{- end }}`

// scrapedBy is how Prometheus gets in, of an endpoint that asks for it; $target is the key of its values.
const scrapedBy = `{{- with .Values.monitoring.scrape.$target.tlsConfig }}
$indentscheme: https
{{ dict "tlsConfig" . | toYaml | indent 4 }}
{{- end }}
{{- with .Values.monitoring.scrape.$target.basicAuth }}
{{ dict "basicAuth" . | toYaml | indent 4 }}
{{- end }}`

// ofPrometheus are the ServiceMonitors of what prometheus.create makes.
func ofPrometheus(o object) bool {
	name := o.at("metadata", "name")
	return name == "prometheus" || name == "alertmanager"
}

func monitoring(o object) {
	switch o["kind"] {
	case "ServiceMonitor":
		labelled(o, ".Values.monitoring.labels")
		if !ofPrometheus(o) {
			scrapeJob(o)
		}
	case "PrometheusRule":
		labelled(o, ".Values.monitoring.labels")
		if o.is("PrometheusRule", "phasewise-links") {
			labels := []any{"spec", "groups", 0, "rules", 0, "labels"}
			o.set(hole(".Values.monitoring.links.runbooks | quote"), append(labels, "runbooks")...)
			o.set(hole(".Values.monitoring.links.grafana | quote"), append(labels, "grafana")...)
		}
		o.set(switched(o.at("spec", "groups").([]any)), "spec", "groups")
	}
}

// scrapeJob looks for the canary of this release alone, and for exporters where it is told, so that another release does not scrape the same targets.
func scrapeJob(o object) {
	target := "exporters"
	if o.is("ServiceMonitor", "kafka-canary") {
		target = "canary"
		o.set(map[string]any{"matchNames": []any{hole(namespace)}}, "spec", "namespaceSelector")
		o.set(hole(release), "spec", "selector", "matchLabels", "app.kubernetes.io/instance")
	} else {
		o.set(block(`include "phasewise.exporters.namespaces" .`), "spec", "namespaceSelector")
		o.set(block(fmt.Sprintf(`include "phasewise.exporters.labels" (list . %s)`, dict(o.at("spec", "selector", "matchLabels").(map[string]any)))), "spec", "selector", "matchLabels")
	}
	o.set(hole(".Values.monitoring.scrapeInterval"), "spec", "endpoints", 0, "interval")
	o.set(hole(".Values.monitoring.scrapeTimeout"), "spec", "endpoints", 0, "scrapeTimeout")
	o.set("", "spec", "endpoints", 0, lines(strings.ReplaceAll(scrapedBy, "$target", target)))
}

// switched are the groups of rules with a condition around each alert: its name is not among those that are switched off. A group that would then be empty is
// left out.
func switched(groups []any) []any {
	unless := func(alerts []string, what any) []any {
		var off []string
		for _, name := range alerts {
			off = append(off, fmt.Sprintf("(has %q .Values.monitoring.rules.disabled)", name))
		}
		return []any{lines("{{- if not (and " + strings.Join(off, " ") + ") }}"), what, lines("{{- end }}")}
	}
	var all []any
	for _, group := range groups {
		var rules []any
		var alerts []string
		recorded := false
		for _, rule := range group.(map[string]any)["rules"].([]any) {
			if name, isAlert := rule.(map[string]any)["alert"].(string); isAlert {
				alerts = append(alerts, name)
				rules = append(rules, unless([]string{name}, rule)...)
			} else {
				recorded = true
				rules = append(rules, rule)
			}
		}
		group.(map[string]any)["rules"] = rules
		if recorded {
			all = append(all, group)
		} else {
			all = append(all, unless(alerts, group)...)
		}
	}
	return all
}

func prometheus(o object) {
	switch {
	case o.is("Prometheus", "kafka"):
		o.set(hole(".Values.prometheus.externalUrl | quote"), "spec", "externalUrl")
		o.set(named("prometheus"), "spec", "serviceAccountName")
	case o.is("Alertmanager", "kafka"):
		o.set(hole(".Values.prometheus.alertmanagerExternalUrl | quote"), "spec", "externalUrl")
		o.set(named("phasewise-alertmanager"), "spec", "configSecret")
	case o.is("ClusterRoleBinding", ""):
		o.set(clusterRole(), "roleRef", "name")
		o.set(named("prometheus"), "subjects", 0, "name")
		o.set(hole(namespace), "subjects", 0, "namespace")
	case o.is("Secret", "phasewise-alertmanager"):
		own := strings.ReplaceAll(o.at("data", "alertmanager.yaml").(string), "\n", "")
		o.set(hole(fmt.Sprintf(`.Values.prometheus.alertmanagerConfig | b64enc | default %q`, own)), "data", "alertmanager.yaml")
	}
}

func dashboard(o object) {
	o.set(map[string]any{"app.kubernetes.io/part-of": o.at("metadata", "labels", "app.kubernetes.io/part-of")}, "metadata", "labels")
	labelled(o, ".Values.monitoring.dashboards.labels")
	o.set(block("toYaml .Values.monitoring.dashboards.annotations"), "metadata", "annotations")
	o.set(hole(".Values.monitoring.dashboards.namespace | default .Release.Namespace | quote"), "metadata", "namespace")
}

// part is a file of templates: which objects of the production overlay, when, and with which holes.
type part struct {
	file  string
	when  string
	takes func(object) bool
	holes func(object)
}

func isDashboard(o object) bool {
	return o["kind"] == "ConfigMap" && !o.is("ConfigMap", "kafka-canary")
}

func ofProduction(o object) bool {
	switch o["kind"] {
	case "Prometheus", "Alertmanager", "ClusterRole", "ClusterRoleBinding", "Secret":
		return true
	case "ServiceMonitor", "ServiceAccount":
		return ofPrometheus(o)
	}
	return false
}

func ofCanary(o object) bool {
	labels, _ := o.at("metadata").(map[string]any)["labels"].(map[string]any)
	return labels["app.kubernetes.io/name"] == "kafka-canary"
}

// The Services and the NetworkPolicy of the exporters in a Kafka of Strimzi: the example's, for any cluster's name.
const (
	exampleCluster = "prod"
	strimziCluster = ".Values.strimzi.cluster"
)

func ofStrimzi(o object) bool {
	return strings.HasPrefix(o.at("metadata", "name").(string), exampleCluster+"-kafka")
}

func strimzi(o object) {
	labels := o.at("metadata", "labels").(map[string]any)
	if labels["phasewise.io/cluster"] == exampleCluster {
		delete(labels, "phasewise.io/cluster")
		labelled(o, fmt.Sprintf(`(dict "phasewise.io/cluster" %s)`, strimziCluster))
	}
	o.set(hole(".Values.strimzi.namespace | quote"), "metadata", "namespace")
	for _, selector := range [][]any{{"selector"}, {"podSelector", "matchLabels"}} {
		if selected, has := o.at("spec", selector[0]).(map[string]any); has {
			if len(selector) > 1 {
				selected = selected[selector[1].(string)].(map[string]any)
			}
			for key, value := range selected {
				switch value {
				case exampleCluster:
					selected[key] = hole(strimziCluster + " | quote")
				case exampleCluster + "-kafka":
					selected[key] = hole(strimziCluster) + "-kafka"
				}
			}
		}
	}
}

var parts = []part{
	{"strimzi.yaml", strimziCluster, ofStrimzi, strimzi},
	{"canary.yaml", "true", ofCanary, canary},
	{"prometheus.yaml", ".Values.prometheus.create", ofProduction, func(o object) { monitoring(o); prometheus(o) }},
	{"dashboards.yaml", "and .Values.monitoring.enabled .Values.monitoring.dashboards.enabled", isDashboard, dashboard},
	{"monitoring.yaml", `include "phasewise.operator" .`, func(o object) bool { return o["apiVersion"] == "monitoring.coreos.com/v1" }, monitoring},
}

// when is the condition of a single object beside that of its part; empty for none.
func when(o object) string {
	switch o["kind"] {
	case "ServiceAccount":
		if ofCanary(o) {
			return ".Values.canary.serviceAccount.create"
		}
	case "PodDisruptionBudget":
		return ".Values.canary.podDisruptionBudget.enabled"
	case "NetworkPolicy":
		if ofCanary(o) {
			return ".Values.canary.networkPolicy.enabled"
		}
	case "ServiceMonitor":
		switch {
		case o.is("ServiceMonitor", "kafka-canary"):
			return ".Values.monitoring.scrape.canary.enabled"
		case !ofPrometheus(o):
			return ".Values.monitoring.scrape.exporters.enabled"
		}
	case "PrometheusRule":
		for _, histograms := range []string{"native", "classic"} {
			if o.is("PrometheusRule", "phasewise-"+histograms) {
				return fmt.Sprintf("and .Values.monitoring.rules.enabled (eq .Values.monitoring.histograms %q)", histograms)
			}
		}
		return ".Values.monitoring.rules.enabled"
	}
	return ""
}

// replaceable is an object of which each field of its spec gives way to the field of that name in a value: its definition, which may stand in no condition,
// and what it is replaced by. Of other objects the definition is empty.
func replaceable(o object, template string) (definition, used string) {
	values := map[any]string{"Prometheus": ".Values.prometheus.spec", "Alertmanager": ".Values.prometheus.alertmanagerSpec"}[o["kind"]]
	if values == "" {
		return "", template
	}
	return fmt.Sprintf("{{- define \"phasewise.own.%s\" }}\n%s{{- end }}\n", o["kind"], template), fmt.Sprintf(`{{- $own := include "phasewise.own.%s" . | fromYaml }}
{{- range $field, $value := %s }}{{ $_ := set $own.spec $field $value }}{{ end }}
{{ toYaml $own }}
`, o["kind"], values)
}

// render is what `kubectl kustomize` makes of a directory.
func render(directory string) ([]object, error) {
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), directory)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", directory, err)
	}
	var all []object
	for _, r := range resources.Resources() {
		m, err := r.Map()
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// templates are the files below templates/ that are made of manifests.
func templates(deploy string) (map[string]string, error) {
	all, err := manifests(deploy)
	if err != nil {
		return nil, err
	}
	files, definitions := map[string]string{}, ""
	for _, o := range all {
		taken := false
		for _, p := range parts {
			if !p.takes(o) {
				continue
			}
			name, condition := nameOf(o), when(o)
			if !ofCluster(o) {
				o.set(hole(namespace), "metadata", "namespace")
			}
			p.holes(o)
			if _, filled := o.at("metadata", "labels").(string); !filled {
				labelled(o)
			}
			o.set(name, "metadata", "name")
			template, err := text(o)
			if err != nil {
				return nil, err
			}
			definition, used := replaceable(o, template)
			definitions += definition
			template = "---\n" + used
			if condition != "" {
				template = "{{- if " + condition + " }}\n" + template + "{{- end }}\n"
			}
			files[p.file] += template
			taken = true
			break
		}
		if !taken {
			return nil, fmt.Errorf("no file of the chart holds %v %v", o["kind"], o.at("metadata", "name"))
		}
	}
	for _, p := range parts {
		if strings.Contains(files[p.file], exampleCluster+"-kafka") {
			return nil, fmt.Errorf("%s: the example's cluster is named in a place that the chart does not replace", p.file)
		}
		files[p.file] = "{{- if " + p.when + " }}\n" + files[p.file] + "{{- end }}\n"
	}
	files["_own.tpl"] = definitions
	return files, nil
}

// manifests are those of the production overlay, but for the canary, which has no credentials of an overlay, and for the rules, whose thresholds are values.
func manifests(deploy string) ([]object, error) {
	all, err := render(filepath.Join(deploy, "canary"))
	if err != nil {
		return nil, err
	}
	production, err := render(filepath.Join(deploy, "examples/production"))
	if err != nil {
		return nil, err
	}
	for _, o := range production {
		if !ofCanary(o) && o["kind"] != "Namespace" && !o.is("PrometheusRule", "phasewise-native") {
			all = append(all, o)
		}
	}
	rules, err := rulesWithSigns(deploy)
	if err != nil {
		return nil, err
	}
	exporters, err := os.ReadFile(filepath.Join(deploy, "examples/strimzi/exporter.yaml"))
	if err != nil {
		return nil, err
	}
	for _, file := range append(rules, exporters) {
		for _, document := range strings.Split(string(file), "\n---\n") {
			var o object
			if err := yaml.Unmarshal([]byte(document), &o); err != nil {
				return nil, err
			}
			all = append(all, o)
		}
	}
	return all, nil
}

// chart is every file of the chart, by its path in it.
func chart(deploy string) (map[string][]byte, error) {
	files := map[string][]byte{}
	for from, to := range map[string]string{
		"Chart.yaml": "Chart.yaml", "values.yaml": "values.yaml", "values.schema.json": "values.schema.json", "README.md": "README.md",
		"_helpers.tpl": "templates/_helpers.tpl", "NOTES.txt": "templates/NOTES.txt", "test.yaml": "templates/test.yaml", "extra.yaml": "templates/extra.yaml",
	} {
		content, err := os.ReadFile(filepath.Join(deploy, "chart", from))
		if err != nil {
			return nil, err
		}
		files[to] = content
	}
	made, err := templates(deploy)
	if err != nil {
		return nil, err
	}
	for name, content := range made {
		files["templates/"+name] = []byte(content)
	}
	return files, described(files, deploy)
}

// write packs the chart as `helm package` does.
func write(files map[string][]byte, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	file, err := os.Create(to)
	if err != nil {
		return err
	}
	defer file.Close()
	zipped := gzip.NewWriter(file)
	archive := tar.NewWriter(zipped)
	var names []string
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		header := &tar.Header{Name: "phasewise/" + name, Mode: 0o644, Size: int64(len(files[name]))}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		if _, err := archive.Write(files[name]); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return zipped.Close()
}

// pack writes the chart's archive, under the name that Helm gives it.
func pack(deploy string) (string, error) {
	files, err := chart(deploy)
	if err != nil {
		return "", err
	}
	var is struct{ Name, Version string }
	if err := yaml.Unmarshal(files["Chart.yaml"], &is); err != nil {
		return "", err
	}
	to := filepath.Join(deploy, fmt.Sprintf("target/%s-%s.tgz", is.Name, is.Version))
	return to, write(files, to)
}

func main() {
	to, err := pack(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(to)
}
