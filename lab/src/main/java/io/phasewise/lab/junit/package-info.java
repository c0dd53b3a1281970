/** What JUnit tests of other modules share: a cluster for many classes. In no program. */
package io.phasewise.lab.junit;
