set encoding utf8
set terminal svg size 1000,560 fixed font "DejaVu Sans,12" background rgb "#ffffff"
set output "picture"
set multiplot
set border 3 linecolor rgb "#6e7781"
set tics nomirror scale 0.5 textcolor rgb "#1f2328"
set style fill solid 0.9 border
set boxwidth 1 absolute
set label 1 "Latencies: Touches window (talk-coalesced)" at screen 0.014, screen 0.9642857142857143 left noenhanced front textcolor rgb "#1f2328" font "DejaVu Sans,16"
set label 2 "n \062\060\073 bins of \060.\060\065 ms" at screen 0.014, screen 0.925 left noenhanced front textcolor rgb "#6e7781" font "DejaVu Sans,12"
set lmargin at screen 0.073
set rmargin at screen 0.976
set tmargin at screen 0.8571428571428572
set bmargin at screen 0.10000000000000009
set xrange [41.60000000000001:41.75]
set xlabel "touch to photon in ms" noenhanced textcolor rgb "#1f2328"
set xtics autofreq noenhanced format "%g"
set grid xtics back linetype 1 linewidth 0.5 linecolor rgb "#e1e4e8"
set yrange [0.0:106.0]
set ylabel "share in \045" noenhanced textcolor rgb "#1f2328"
set ytics autofreq noenhanced format "%g"
set grid ytics back linetype 1 linewidth 0.5 linecolor rgb "#e1e4e8"
set key at screen 0.976, screen 0.9035714285714286 top right horizontal noenhanced samplen 1.5 textcolor rgb "#1f2328"
plot "data/\060" binary format="%double%double%double%double" record=(1) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#0072b2" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 title "touch to photon", \
  "data/\061" binary format="%double%double%double%double" record=(1) endian=default using 1:2:($3-$1):($4-$2) with vectors nohead linewidth 1.2 linecolor rgb "#e69f00" dashtype 2 title "p\065\060 \064\061.\066\067 ms", \
  "data/\062" binary format="%double%double%double%double" record=(1) endian=default using 1:2:($3-$1):($4-$2) with vectors nohead linewidth 1.2 linecolor rgb "#009e73" dashtype 2 title "p\071\065 \064\061.\066\067 ms", \
  "data/\063" binary format="%double%double%double%double" record=(1) endian=default using 1:2:($3-$1):($4-$2) with vectors nohead linewidth 1.2 linecolor rgb "#cc79a7" dashtype 2 title "p\071\071 \064\061.\066\067 ms"
unset label
unset multiplot
unset output
# data/0: 41.650000000000006 41.7 0.0 100.0
# data/1: 41.667 0.0 41.667 106.0
# data/2: 41.667 0.0 41.667 106.0
# data/3: 41.667 0.0 41.667 106.0
