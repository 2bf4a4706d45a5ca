set encoding utf8
set terminal svg size 1000,560 fixed font "DejaVu Sans,12" background rgb "#ffffff"
set output "picture"
set multiplot
set border 3 linecolor rgb "#6e7781"
set tics nomirror scale 0.5 textcolor rgb "#1f2328"
set style fill solid 0.9 border
set boxwidth 1 absolute
set label 1 "Jitter of the frame time: uncapped.exe \060xF\060\060D (uncapped-game)" at screen 0.014, screen 0.9642857142857143 left noenhanced front textcolor rgb "#1f2328" font "DejaVu Sans,16"
set label 2 "n \065\070\073 absolute change: mean \060.\066\070 ms, p\065\060 \060.\066\070 ms, p\071\065 \061.\064\067 ms, max \061.\067\063 ms" at screen 0.014, screen 0.925 left noenhanced front textcolor rgb "#6e7781" font "DejaVu Sans,12"
set lmargin at screen 0.073
set rmargin at screen 0.976
set tmargin at screen 0.8892857142857143
set bmargin at screen 0.49553571428571436
set xrange [0.0:0.3000006]
set xlabel "time in s" noenhanced textcolor rgb "#1f2328"
set xtics autofreq noenhanced format "%g"
set grid xtics back linetype 1 linewidth 0.5 linecolor rgb "#e1e4e8"
set yrange [-1.8336940000000002:1.8336940000000002]
set ylabel "change in ms" noenhanced textcolor rgb "#1f2328"
set ytics autofreq noenhanced format "%g"
set grid ytics back linetype 1 linewidth 0.5 linecolor rgb "#e1e4e8"
unset key
plot "data/\060" binary format="%double%double" record=(58) endian=default using 1:2 with lines linewidth 0.5 linecolor rgb "#0072b2" title "change of frame time"
unset label
set lmargin at screen 0.073
set rmargin at screen 0.976
set tmargin at screen 0.38125000000000003
set bmargin at screen 0.09999999999999998
set xrange [0.0:2.0]
set xlabel "absolute change in ms" noenhanced textcolor rgb "#1f2328"
set xtics autofreq noenhanced format "%g"
set grid xtics back linetype 1 linewidth 0.5 linecolor rgb "#e1e4e8"
set yrange [0.0:45.689655172413794]
set ylabel "share in \045" noenhanced textcolor rgb "#1f2328"
set ytics autofreq noenhanced format "%g"
set grid ytics back linetype 1 linewidth 0.5 linecolor rgb "#e1e4e8"
unset key
plot "data/\061" binary format="%double%double%double%double" record=(4) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#0072b2" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 title "absolute change"
unset label
unset multiplot
unset output
# data/0: 0.0130674 -0.9482 0.0178467 0.7796 0.0215606 -1.0654 0.025488 0.2135 0.0295069 0.0915 0.0334916 -0.0342 0.0378532 0.3769 0.0422803 0.0655 0.045599 -1.1084 0.0496916 0.7739 0.053408 -0.3762 0.0575359 0.4115 0.0608146 -0.8492 0.0650907 0.9974 0.0690056 -0.3612 0.0726615 -0.259 0.0768401 0.5227 0.0815126 0.4939 0.0862639 0.0788 0.0898893 -1.1259 0.0946534 1.1387 0.0984374 -0.9801 0.1032465 1.0251 0.1069898 -1.0658 0.110776 0.0429 0.1146846 0.1224 0.1189773 0.3841 0.1239023 0.6323 0.1280499 -0.7774 0.1326042 0.4067 0.137101 -0.0575 0.1403683 -1.2295 0.1445915 0.9559 0.1480826 -0.7321 0.1530335 1.4598 0.1572516 -0.7328 0.1615748 0.1051 0.1662252 0.3272 0.1705945 -0.2811 0.1745554 -0.4084 0.1789885 0.4722 0.1835396 0.118 0.1870581 -1.0326 0.1916629 1.0863 0.1965781 0.3104 0.1999471 -1.5462 0.204666 1.3499 0.2084216 -0.9633 0.2126816 0.5044 0.2167518 -0.1898 0.2217344 0.9124 0.2249871 -1.7299 0.2298247 1.5849 0.2332933 -1.369 0.2375687 0.8068 0.2409489 -0.8952 0.2448787 0.5496 0.2490914 0.2829
# data/1: 0.0 0.5 0.0 43.10344827586207 0.5 1.0 0.0 31.03448275862069 1.0 1.5 0.0 20.689655172413794 1.5 2.0 0.0 5.172413793103448
