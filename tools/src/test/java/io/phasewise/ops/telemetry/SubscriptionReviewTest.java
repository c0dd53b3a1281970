/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.telemetry.PushedMetrics;
import io.phasewise.ops.telemetry.ClientMetricsSubscription.Subscription;
import io.phasewise.ops.telemetry.SubscriptionReview.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubscriptionReviewTest {

    private static final String OUR_OLD_ONE = String.join(",", PushedMetrics.names(""));

    private static Subscription subscription(String name, String metrics, String match) {
        return new Subscription(name, Map.of("metrics", metrics, "match", match));
    }

    private static List<Subscription> ours(List<String> match) {
        return ClientKind.TRIED.stream()
                .map(kind -> new Subscription("phasewise" + kind.suffix(), kind.settings(30_000, match)))
                .toList();
    }

    @Test
    void theOneOfEarlierReleasesIsFoundAndKnownAsOurs() {
        assertThat(SubscriptionReview.of(List.of(subscription("phasewise", OUR_OLD_ONE, ""))))
                .singleElement()
                .satisfies(found -> {
                    assertThat(found.subscriptions()).containsExactly("phasewise");
                    assertThat(found.versions()).contains("2.5.0", "2.5.3", "2.8.0", "2.10.0");
                    assertThat(found.ours())
                            .get()
                            .extracting(Subscription::name)
                            .isEqualTo("phasewise");
                });
    }

    @Test
    void leftOutAsTheDocumentSaidItStillHarmsThoseFrom253On() {
        String match = "client_software_version=(?!.*2[.]5[.][0-2]).*";

        assertThat(SubscriptionReview.of(List.of(subscription("phasewise", OUR_OLD_ONE, match))))
                .singleElement()
                .satisfies(found ->
                        assertThat(found.versions()).contains("2.5.3", "2.10.0").doesNotContain("2.5.0", "2.5.2"));
    }

    @Test
    void oursOfNowHarmNobodyHoweverTheyAreMatchedFurther() {
        assertThat(SubscriptionReview.of(ours(List.of()))).isEmpty();
        assertThat(SubscriptionReview.of(ours(List.of("client_id=orders.*")))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*                                                             |                               | true",
                "org.apache.kafka.                                             |                               | true",
                "org.apache.kafka.producer.                                    |                               | false",
                "org.apache.kafka.producer.,org.apache.kafka.consumer.         |                               | false",
                "org.apache.kafka.producer.request.latency.avg                 |                               | false",
                "org.apache.kafka.producer.,org.apache.kafka.consumer.         | client_id=some                | false",
                "org.apache.kafka.producer.,org.apache.kafka.consumer.         | client_software_name=apache-kafka-java | true",
                "org.apache.kafka.producer.,*                                  |                               | true"
            })
    void somebodyElsesIsJudgedByWhatItAsksWhom(String metrics, String match, boolean safe) {
        List<Finding> found =
                SubscriptionReview.of(List.of(subscription("theirs", metrics, match == null ? "" : match)));

        assertThat(found.isEmpty()).isEqualTo(safe);
        assertThat(found).noneMatch(each -> each.ours().isPresent());
    }

    @Test
    void twoThatAreSafeAloneHarmTogether() {
        List<Subscription> both = List.of(
                subscription("a", "org.apache.kafka.", ""), subscription("b", "org.apache.kafka.producer.", ""));

        assertThat(SubscriptionReview.of(both))
                .singleElement()
                .satisfies(found -> assertThat(found.subscriptions()).containsExactly("a", "b"));
    }

    @Test
    void oursMendSomebodyElsesForTheVersionsThatTheyAsk() {
        List<Subscription> all = new ArrayList<>(ours(List.of()));
        all.add(subscription("theirs", "org.apache.kafka.producer.", ""));

        assertThat(SubscriptionReview.of(all))
                .singleElement()
                .satisfies(found -> assertThat(found.versions()).containsExactly("2.5.0", "2.5.1", "2.5.2", "2.6.0"));
    }

    /** The first by name is somebody else's: it must not be the one that is replaced. */
    @Test
    void oursIsKnownBesideOneOfSomebodyElse() {
        assertThat(SubscriptionReview.of(List.of(
                        subscription("audit", "org.apache.kafka.producer.", ""),
                        subscription("phasewise", OUR_OLD_ONE, ""),
                        subscription("zzz", "org.apache.kafka.consumer.", ""))))
                .singleElement()
                .satisfies(found -> {
                    assertThat(found.subscriptions()).containsExactly("audit", "phasewise", "zzz");
                    assertThat(found.ours().map(Subscription::name)).contains("phasewise");
                });
    }
}
