/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Packages form a tree. Ops and report know nothing of each other, and only the command line knows
 * both; of the other modules only common and kafka are used.
 */
class PackagesTest {
    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(new DoNotIncludeTests())
            .importPackages("io.phasewise.tools", "io.phasewise.ops", "io.phasewise.report");

    @Test
    void noPackagesUseEachOther() {
        slices().matching("io.phasewise.(**)").should().beFreeOfCycles().check(MAIN);
    }

    @Test
    void opsKnowsCommonAndKafkaOnly() {
        only(
                "io.phasewise.ops..",
                "io.phasewise.kafka..",
                "com.fasterxml.jackson..",
                "org.apache.commons.statistics..",
                "org.apache.kafka..");
    }

    /** Who reviews a window of days asks a Prometheus, and no cluster. */
    @Test
    void theReportKnowsCommonOnly() {
        only(
                "io.phasewise.report..",
                "com.fasterxml.jackson..",
                "javax.net.ssl..",
                "org.apache.commons.math3..",
                "org.apache.commons.statistics..");
    }

    @Test
    void theCommandLineKnowsOpsAndReport() {
        only(
                "io.phasewise.tools..",
                "io.phasewise.ops..",
                "io.phasewise.report..",
                "io.phasewise.kafka..",
                "org.apache.kafka..",
                "picocli..");
    }

    /** Classes of the first packages use these, common and Java alone. */
    private static void only(String... these) {
        String[] all = Stream.concat(Stream.of(these), Stream.of("io.phasewise.common..", "java.."))
                .toArray(String[]::new);
        classes()
                .that()
                .resideInAPackage(these[0])
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(all)
                .check(MAIN);
    }
}
