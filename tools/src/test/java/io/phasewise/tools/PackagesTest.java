/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import org.junit.jupiter.api.Test;

/** Packages form a tree, and of the other modules only common is used. */
class PackagesTest {
    private static final String ROOT = "io.phasewise.ops";
    private static final JavaClasses MAIN =
            new ClassFileImporter().withImportOption(new DoNotIncludeTests()).importPackages(ROOT);

    @Test
    void noPackagesUseEachOther() {
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(MAIN);
    }

    @Test
    void ofTheOtherModulesOnlyCommonAndKafkaAreUsed() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        ROOT + "..",
                        "io.phasewise.common..",
                        "io.phasewise.kafka..",
                        "java..",
                        "com.fasterxml.jackson..",
                        "org.apache.commons.statistics..",
                        "org.apache.kafka..",
                        "picocli..")
                .check(MAIN);
    }
}
