/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import static io.phasewise.canary.config.Configurations.beside;
import static io.phasewise.canary.config.Configurations.clusters;
import static io.phasewise.canary.config.Configurations.faults;
import static io.phasewise.canary.config.Configurations.load;
import static io.phasewise.canary.config.Configurations.prod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.common.file.JarResource;
import io.phasewise.kafka.AnswerLimit;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigLoaderTest {
    @Test
    void theReferenceFileSaysTheDefaultsAndNothingElse() throws Exception {
        ConfigLoader.Loaded reference = new ConfigLoader(Map.of()).load(Path.of("config", "canary.yml"));
        String brokers = "127.0.0.1:19092,127.0.0.1:19093,127.0.0.1:19094";
        ConfigLoader.Loaded bare = load("canary: {clusters: {local: {bootstrap-servers: '%s'}}}".formatted(brokers));

        assertThat(reference.config()).isEqualTo(bare.config());
        assertThat(reference.warnings()).isEmpty();
    }

    @Test
    void aFileWithoutEndIsRefused() {
        assertThatThrownBy(() -> new ConfigLoader(Map.of()).load(Path.of("/dev/zero")))
                .isInstanceOfSatisfying(
                        InvalidConfigException.class,
                        refused -> assertThat(refused.faults())
                                .singleElement()
                                .asString()
                                .contains("is larger than the 4194304 bytes"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"kafka_2:7071", "[::1]:24301", "[fe80::1%eth0]:7071", "10.0.0.1:65535"})
    void addressesOfExportersMayBeWhatKafkaAdvertises(String address) throws Exception {
        ConfigLoader.Loaded loaded = load("canary: {clusters: {local: {bootstrap-servers: 'a:1',"
                + " exporters: {addresses: {5: '" + address + "'}}}}}");

        assertThat(loaded.config().clusters().get(0).exporters().address(5, "")).hasValue(address);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"kafka:99999", "kafka:0", "::1:7071", "[::1]", "[12345::1]:7071", "[a]:7071", "a b:7071", ":7071"
            })
    void otherAddressesOfExportersAreRefused(String address) {
        assertThatThrownBy(() -> load("canary: {clusters: {local: {bootstrap-servers: 'a:1',"
                        + " exporters: {addresses: {5: '" + address + "'}}}}}"))
                .isInstanceOfSatisfying(
                        InvalidConfigException.class,
                        refused -> assertThat(refused.faults())
                                .singleElement()
                                .asString()
                                .contains("exporters.addresses.5", "allowed: host:port or [IPv6]:port"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"b", "127.0.0.1:99999", "c:1, d:0", "[::1]:70000", "[::1], c:9092"})
    void serversWithoutAPortOrWithNoneThatThereIsAreRefused(String servers) {
        assertThat(faults("canary: {clusters: {local: {bootstrap-servers: '" + servers + "'}}}"))
                .containsExactly("canary.clusters.local.bootstrap-servers: \"" + servers
                        + "\" is not allowed; allowed: host:port with a port from 1 to 65535, several separated by"
                        + " commas");
    }

    /** The containers' file, and those that are deployed to Kubernetes. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "config/compose.yml",
                "../deploy/canary/canary.yml",
                "../deploy/examples/production/canary.yml",
                "../deploy/examples/kube-prometheus-stack/canary.yml",
                "../deploy/examples/strimzi/canary.yml"
            })
    void theConfigurationsOfTheContainersAreSound(String file) throws Exception {
        ConfigLoader.Loaded loaded =
                new ConfigLoader(Map.of("KAFKA_PASSWORD", "a", "KAFKA_KEYSTORE_PASSWORD", "b")).load(Path.of(file));
        assertThat(loaded.config().clusters()).hasSize(1);
        assertThat(loaded.config().http().host()).isEqualTo("0.0.0.0");
        assertThat(loaded.warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvFileSource(resources = "refused.csv", delimiter = '|', quoteCharacter = '~')
    void refusesWithKeyValueAndWhatIsAllowed(String yaml, String fault) {
        assertThat(faults(prod(yaml))).containsExactly("canary.clusters.prod." + fault);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "refused-beside-clusters.csv", delimiter = '|', quoteCharacter = '~')
    void refusesKeysBesideClustersLikewise(String yaml, String fault) {
        assertThat(faults(beside(yaml))).containsExactly("canary." + fault);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "accepted.csv", delimiter = '|', quoteCharacter = '~')
    void aKeyOrAVariableSetsWhatItNames(String variables, String yaml, String component, String value)
            throws Exception {
        ConfigLoader.Loaded loaded = load(environment(variables), prod(yaml));

        assertThat(last(loaded)).extracting(component).hasToString(value);
        assertThat(loaded.warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvFileSource(resources = "accepted-beside-clusters.csv", delimiter = '|', quoteCharacter = '~')
    void aKeyBesideClustersDoesLikewise(String variables, String yaml, String component, String value)
            throws Exception {
        assertThat(load(environment(variables), beside(yaml)).config())
                .extracting(component)
                .hasToString(value);
    }

    /** Of words such as {@code NAME=value}; null for none. */
    private static Map<String, String> environment(String variables) {
        Map<String, String> environment = new TreeMap<>();
        Pattern.compile("(\\w+)=(\\S+)")
                .matcher(variables == null ? "" : variables)
                .results()
                .forEach(each -> environment.put(each.group(1), each.group(2)));
        return environment;
    }

    private static ClusterConfig last(ConfigLoader.Loaded loaded) {
        List<ClusterConfig> clusters = loaded.config().clusters();
        return clusters.get(clusters.size() - 1);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "clients.csv", delimiter = '|', quoteCharacter = '~')
    void aClientHasThePropertiesThatItIsGivenOrNeeds(String yaml, String client, String property, String value)
            throws Exception {
        ClusterConfig of = last(load(prod(yaml)));
        AbstractConfig accepted = switch (client) {
            case "producer" -> new ProducerConfig(of.producerProperties(7));
            case "calibrator" -> new ProducerConfig(of.calibratorProperties(7));
            case "consumer" -> new ConsumerConfig(of.kafka().consumerProperties(of.id()));
            default -> new AdminClientConfig(of.kafka().adminProperties(of.id()));
        };

        assertThat(accepted.originals().get(property)).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "names", "profiles"})
    void saysAllThatIsWrongAtOnce(String of) throws Exception {
        String yaml = JarResource.text(ConfigLoaderTest.class, "faulty-" + of + ".yml");

        assertThat(faults(yaml))
                .isEqualTo(yaml.lines()
                        .filter(line -> line.startsWith("# "))
                        .map(line -> line.substring(2))
                        .toList());
    }

    @Test
    void aProfileThatSetsNothingHasTheClustersSettingsAndATopicOfItsOwn() throws Exception {
        List<ClusterConfig> entries = clusters(prod("producer: {linger.ms: 1}, probe: {rate: 5}, deadline: 3s,"
                + " topic: {name: canary}, profiles: {bare: {}}"));

        assertThat(entries).extracting(ClusterConfig::profile).containsExactly("default", "bare");
        assertThat(entries.get(1))
                .usingRecursiveComparison()
                .ignoringFields("profile", "topic.name")
                .isEqualTo(entries.get(0));
    }

    @Test
    void aProfilesTopicHasItsOwnSettingsBesideTheClusters() throws Exception {
        String own = "profiles: {app: {topic: {config: {segment.ms: 1000}}}}";

        assertThat(last(load(prod(own))).topic().config())
                .containsEntry("segment.ms", "1000")
                .containsEntry("message.timestamp.type", "LogAppendTime");
    }

    @Test
    void refusesAFileWithoutClusters() {
        assertThat(faults("canary: {http: {port: 1}}"))
                .containsExactly("canary.clusters: is missing; name at least one cluster with its bootstrap-servers");
        assertThat(faults("")).hasSize(1);
    }

    @Test
    void refusesAKeyGivenTwice() {
        assertThat(faults("canary:\n  clusters:\n    prod: {}\n    prod: {}\n"))
                .singleElement()
                .asString()
                .contains("line 4", "duplicate key prod");
    }

    @Test
    void refusesAMissingFileByName() {
        assertThatThrownBy(() -> new ConfigLoader(Map.of()).load(Path.of("no-such.yml")))
                .hasMessage("no-such.yml: there is no such file");
    }

    @Test
    void secretsAppearInNoMessageAndNoText() throws Exception {
        assertThat(faults(prod("client: {ssl.keystore.password: hush, ssl.key.password: hush, linger.ms: x}")))
                .noneMatch(f -> f.contains("hush"));
        ConfigLoader.Loaded loaded = load(prod("client: {sasl.jaas.config: hush}"));
        assertThat(loaded.toString()).doesNotContain("hush");
        assertThat(last(loaded).toString()).doesNotContain("hush");
    }

    @Test
    void canariesThatShareAFileShareItsClustersOut() throws Exception {
        String file = """
                canary:
                  shard: {count: 3, index: 0}
                  clusters:
                    orders: {bootstrap-servers: "a:1"}
                    payments: {bootstrap-servers: "a:1", profiles: {batch: {}}}
                    prod.eu: {bootstrap-servers: "a:1"}
                """;
        assertThat(ids(Map.of("CANARY_SHARD_INDEX", "1"), file)).containsExactly("payments", "payments@batch");
        assertThat(ids(Map.of("CANARY_SHARD_INDEX", "2"), file)).containsExactly("orders", "prod.eu");
        assertThat(ids(Map.of(), file)).isEmpty();
        assertThat(load(file).warnings())
                .containsExactly("canary.shard: none of the 3 clusters is this canary's; it measures nothing");
        assertThat(faults(file.replaceFirst("\"a:1\"", "nowhere")))
                .as("a fault of a cluster that is another canary's")
                .singleElement()
                .asString()
                .startsWith("canary.clusters.orders.bootstrap-servers");
    }

    /** A longer answer than this process takes would be refused again and again. */
    @Test
    void answersOfAConsumerFitIntoTheHeapAndALargerSizeIsWarnedOf() throws Exception {
        int most = AnswerLimit.ofProcess().fetchBytes();
        ConfigLoader.Loaded large =
                load(prod("consumer: {fetch.max.bytes: 2000000000, max.partition.fetch.bytes: 1000}"));
        Map<String, Object> lowered = last(large).consumerProperties("group");
        assertThat(lowered.get("fetch.max.bytes")).hasToString("" + most);
        assertThat(lowered.get("max.partition.fetch.bytes")).hasToString("1000");
        assertThat(large.warnings())
                .containsExactly("canary.clusters.prod.consumer.fetch.max.bytes: 2000000000 bytes do not fit into this"
                        + " heap, " + most + " are used (half of an eighth of -Xmx)");

        Map<String, Object> byDefault = last(load(prod("probe: {rate: 1}"))).consumerProperties("group");
        assertThat(Integer.parseInt(byDefault.get("fetch.max.bytes").toString()))
                .isEqualTo(Math.min(most, ConsumerConfig.DEFAULT_FETCH_MAX_BYTES));
        assertThat(byDefault).doesNotContainKey("max.partition.fetch.bytes");
    }

    private static List<String> ids(Map<String, String> environment, String file) throws Exception {
        return load(environment, file).config().clusters().stream()
                .map(ClusterConfig::id)
                .toList();
    }

    @Test
    void aFaultyOverrideIsRefusedLikeAFaultyFile() {
        Map<String, String> environment = Map.of("CANARY_CLUSTERS_PROD_PROBE_RATE", "fast");
        assertThatThrownBy(() -> load(environment, prod("")))
                .hasMessage("canary.clusters.prod.probe.rate: \"fast\" is not a number; allowed: 0.1 to 10000");
    }

    @Test
    void theEnvironmentAloneCanNameACluster() throws Exception {
        Map<String, String> environment = Map.of(
                "CANARY_CLUSTERS_EAST_BOOTSTRAP_SERVERS", "east:9092",
                "CANARY_CLUSTERS_EAST_PROBE_SIZE", "100");
        ClusterConfig east = load(environment, "").config().clusters().get(0);

        assertThat(east.name()).isEqualTo("east");
        assertThat(east.kafka().bootstrapServers()).isEqualTo("east:9092");
        assertThat(east.probe().size()).isEqualTo(100);
    }

    @ParameterizedTest
    @CsvSource({
        "CANARY_SERVICE_HOST=10.0.0.1, deadline: 1s, environment variable CANARY_SERVICE_HOST: names no key; ignored",
        "'', client: {my.plugin.level: 3}, canary.clusters.prod.client.my.plugin.level: no Kafka"
                + " client knows this property; passed on as it is"
    })
    void whatNamesNothingIsOnlyWarnedOf(String variables, String yaml, String warning) throws Exception {
        assertThat(load(environment(variables), prod(yaml)).warnings()).containsExactly(warning);
    }

    @Test
    void aVariableThatAReferenceNamesIsNotWarnedOf() throws Exception {
        Map<String, String> environment = Map.of("CANARY_PASSWORD", "secret", "CANARY_PASWORD", "slip");

        assertThat(load(environment, prod("client: {sasl.jaas.config: 'password=\"${CANARY_PASSWORD}\"'}"))
                        .warnings())
                .containsExactly("environment variable CANARY_PASWORD: names no key; ignored");
    }

    /** Brokers report the requests of every canary: by these names it knows its own. */
    @Test
    void clientsOfAProfileAreCalledAsItSays() throws Exception {
        String yaml = "canary: {clusters: {prod: {bootstrap-servers: 'a:1', profiles: {batch: {enabled: true}}}}}";
        List<ClusterConfig> profiles = clusters(yaml);

        assertThat(profiles).hasSize(2).allSatisfy(profile -> {
            assertThat(profile.consumerProperties("g")).containsEntry("client.id", profile.consumerClientId());
            assertThat(profile.producerProperties(7)).containsEntry("client.id", profile.producerClientIds() + "7");
        });
        assertThat(profiles).extracting(ClusterConfig::consumerClientId).doesNotHaveDuplicates();
    }
}
